//! Errors in words.

use std::error::Error;

/// An error with everything that led to it, in one line.
pub fn in_words(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !words.ends_with(&more) {
            words = format!("{words}: {more}");
        }
        cause = error.source();
    }
    words
}

//! Looks at rows, many in one statement.
//!
//! Nothing that is answered may be older than the question, so nothing of a row is remembered without a look at it. One
//! statement is under way at a time, and whoever asks meanwhile is answered by the next one, together with all others
//! who do: under load a request costs a fraction of a statement, and never more than one connection is taken.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use realmdex_store::{RegistryVersion, Seen, SeenFile, Sought, Store};
use tokio::sync::oneshot;

use super::Problem;

/// Questions in one statement: past that, its own time is what everyone waits for.
const TOGETHER: usize = 256;

/// Looks at rows. Cheap to clone; all clones ask together.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    store: Store,
    waiting: Arc<Mutex<Waiting>>,
}

#[derive(Debug, Default)]
struct Waiting {
    questions: Vec<Question>,
    is_under_way: bool,
}

#[derive(Debug)]
struct Question {
    sought: Vec<Sought>,
    answer: oneshot::Sender<Result<Seen, Problem>>,
}

/// The turn of whoever sends the statements. Should it be stopped in the middle (its own client went away), all who wait
/// ask again.
struct Turn<'a> {
    rows: &'a Rows,
    is_over: bool,
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            let mut waiting = self.rows.waiting();
            waiting.is_under_way = false;
            waiting.questions.clear();
        }
    }
}

impl Rows {
    pub(crate) fn new(store: Store) -> Self {
        Self {
            store,
            waiting: Arc::default(),
        }
    }

    /// Files' rows and the version of the registry, as they are after this was called.
    ///
    /// # Errors
    /// Where the index can't be read.
    pub(crate) async fn look(&self, sought: Vec<Sought>) -> Result<Seen, Problem> {
        loop {
            let (answer, answered) = oneshot::channel();
            let sought = sought.clone();
            let is_first = {
                let mut waiting = self.waiting();
                waiting.questions.push(Question { sought, answer });
                !mem::replace(&mut waiting.is_under_way, true)
            };
            if is_first {
                // For its own sake, and that of whoever came at the same moment; a task of its own goes on for the others.
                let mut turn = self.turn();
                self.answer_some().await;
                turn.is_over = true;
                if !self.is_done() {
                    let rows = self.clone();
                    tokio::spawn(async move { rows.answer_all().await });
                }
            }
            if let Ok(answer) = answered.await {
                return answer;
            }
        }
    }

    /// One file.
    ///
    /// # Errors
    /// As [`Rows::look`].
    pub(crate) async fn look_at(&self, sought: Sought) -> Result<SeenFile, Problem> {
        let seen = self.look(vec![sought]).await?;
        Ok(seen.files.first().copied().unwrap_or_default())
    }

    /// The version of the registry.
    ///
    /// # Errors
    /// As [`Rows::look`].
    pub(crate) async fn registry(&self) -> Result<RegistryVersion, Problem> {
        Ok(self.look(Vec::new()).await?.registry)
    }

    fn turn(&self) -> Turn<'_> {
        Turn {
            rows: self,
            is_over: false,
        }
    }

    /// Whether nobody waits; then the turn is over.
    fn is_done(&self) -> bool {
        let mut waiting = self.waiting();
        waiting.is_under_way = !waiting.questions.is_empty();
        !waiting.is_under_way
    }

    async fn answer_all(&self) {
        let mut turn = self.turn();
        while !self.is_done() {
            self.answer_some().await;
        }
        turn.is_over = true;
    }

    async fn answer_some(&self) {
        let questions = {
            let mut waiting = self.waiting();
            let now = waiting.questions.len().min(TOGETHER);
            waiting.questions.drain(..now).collect()
        };
        self.answer(questions).await;
    }

    async fn answer(&self, questions: Vec<Question>) {
        // What many ask for is looked at once.
        let mut all: Vec<Sought> = Vec::with_capacity(questions.len());
        let mut places: HashMap<&Sought, usize> = HashMap::with_capacity(questions.len());
        for sought in questions.iter().flat_map(|question| &question.sought) {
            places.entry(sought).or_insert_with(|| {
                all.push(sought.clone());
                all.len() - 1
            });
        }
        let mut looked = self.store.look(&all).await;
        // A connection that had been cut is noticed by whoever uses it first.
        if looked
            .as_ref()
            .is_err_and(realmdex_store::StoreError::is_about_reaching)
        {
            looked = self.store.look(&all).await;
        }
        let seen = match looked {
            Ok(seen) => seen,
            Err(error) => {
                let problem = Problem::from(error);
                for question in questions {
                    // Whoever went away needs no answer.
                    let _ = question.answer.send(Err(problem.clone()));
                }
                return;
            }
        };
        let answers: Vec<Seen> = questions
            .iter()
            .map(|question| Seen {
                registry: seen.registry,
                files: question
                    .sought
                    .iter()
                    .filter_map(|sought| seen.files.get(*places.get(sought)?).copied())
                    .collect(),
            })
            .collect();
        for (question, answer) in questions.into_iter().zip(answers) {
            let _ = question.answer.send(Ok(answer));
        }
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

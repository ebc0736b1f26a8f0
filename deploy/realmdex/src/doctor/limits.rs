//! What the operating system grants this process.

use rlimit::{INFINITY, Resource};

use super::Outcome;

/// Below this the sandbox can't reserve a pool of instances: two engines with some hundred memories, each of which
/// takes several GiB of addresses (never of memory).
const POOL_ADDRESSES: u64 = 2 << 40;

/// Sockets of a fleet's connections, and a folder handle for each level of a listing.
const OPEN_FILES: u64 = 1024;

pub(super) fn address_space() -> Outcome {
    let overcommit = std::fs::read_to_string("/proc/sys/vm/overcommit_memory");
    judge_addresses(
        Resource::AS.get_soft().ok(),
        overcommit.is_ok_and(|mode| mode.trim() == "2"),
    )
}

fn judge_addresses(limit: Option<u64>, strict_overcommit: bool) -> Outcome {
    const SLOWER: &str =
        "the sandbox allocates each instance by itself, which works and takes a little longer";
    match limit {
        Some(limit) if limit != INFINITY && limit < POOL_ADDRESSES => Outcome::warn(
            format!("address space is limited to {} MiB: {SLOWER}", limit >> 20),
            "raise it with `ulimit -v unlimited`, or the container's equivalent",
        ),
        _ if strict_overcommit => Outcome::warn(
            format!("this machine never overcommits memory: {SLOWER}"),
            "set the sysctl vm.overcommit_memory to 0 or 1",
        ),
        _ => Outcome::ok("address space is not limited"),
    }
}

pub(super) fn open_files() -> Outcome {
    judge_files(Resource::NOFILE.get_soft().ok())
}

fn judge_files(limit: Option<u64>) -> Outcome {
    match limit {
        Some(limit) if limit < OPEN_FILES => Outcome::warn(
            format!("only {limit} files may be open at once"),
            format!("raise it with `ulimit -n {OPEN_FILES}` or more"),
        ),
        Some(INFINITY) | None => Outcome::ok("any number of files may be open at once"),
        Some(limit) => Outcome::ok(format!("{limit} files may be open at once")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::State;

    #[test]
    fn limits_that_matter_are_warnings() {
        for (limit, strict, expected) in [
            (Some(INFINITY), false, State::Ok),
            (None, false, State::Ok),
            (Some(1 << 50), false, State::Ok),
            (Some(4 << 30), false, State::Warn),
            (Some(INFINITY), true, State::Warn),
        ] {
            assert_eq!(judge_addresses(limit, strict).state, expected, "{limit:?}");
        }
        for (limit, expected) in [
            (Some(INFINITY), State::Ok),
            (Some(1024), State::Ok),
            (Some(256), State::Warn),
            (None, State::Ok),
        ] {
            assert_eq!(judge_files(limit).state, expected, "{limit:?}");
        }
    }
}

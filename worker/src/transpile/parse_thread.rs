//! Threads with a stack deep enough for the parser.
//!
//! The parser and the passes over its tree recurse once per nesting level. [`super::nesting`] bounds the levels;
//! these threads have the stack for that bound several times over, whatever stack the caller has. Only pages that
//! were touched take memory.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, OnceLock, mpsc},
    thread,
};

use oxc::allocator::Allocator;

/// Reserved per thread. Measured: at most 1.6 KiB per level the nesting check counts, of 5,000 allowed, in an
/// optimised build.
const STACK_BYTES: usize = 128 * 1024 * 1024;

/// More than this many modules are never transpiled at the same moment.
const MAX_THREADS: usize = 4;

type Job = Box<dyn FnOnce(&Allocator) + Send>;

/// Why there is no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lost {
    /// The system gave no thread.
    NoThread,
    /// The job panicked.
    Panicked,
}

/// Runs `job` on one of the threads and waits for its result. The allocator is empty, and emptied afterwards.
pub(super) fn run<T: Send + 'static>(
    job: impl FnOnce(&Allocator) -> T + Send + 'static,
) -> Result<T, Lost> {
    static JOBS: OnceLock<Option<mpsc::Sender<Job>>> = OnceLock::new();
    let jobs = JOBS
        .get_or_init(start_threads)
        .as_ref()
        .ok_or(Lost::NoThread)?;
    let (answer, answered) = mpsc::sync_channel(1);
    let job: Job = Box::new(move |allocator| {
        // Nobody waits for the answer only if the caller's thread is gone.
        let _ = answer.send(job(allocator));
    });
    jobs.send(job).map_err(|_| Lost::NoThread)?;
    // A panic drops the sender.
    answered.recv().map_err(|_| Lost::Panicked)
}

/// Starts the threads; `None` if not one could be.
fn start_threads() -> Option<mpsc::Sender<Job>> {
    let (sender, receiver) = mpsc::channel::<Job>();
    let receiver = std::sync::Arc::new(Mutex::new(receiver));
    let wanted = thread::available_parallelism().map_or(1, |n| n.get().min(MAX_THREADS));
    let started = (0..wanted)
        .filter(|index| {
            let receiver = receiver.clone();
            thread::Builder::new()
                .name(format!("transpile-{index}"))
                .stack_size(STACK_BYTES)
                .spawn(move || work(&receiver))
                .is_ok()
        })
        .count();
    (started > 0).then_some(sender)
}

fn work(jobs: &Mutex<mpsc::Receiver<Job>>) {
    let mut allocator = Allocator::default();
    loop {
        let next = match jobs.lock() {
            Ok(jobs) => jobs.recv(),
            // A job never runs with the lock held, so it cannot be poisoned by one.
            Err(_) => return,
        };
        let Ok(job) = next else { return };
        match catch_unwind(AssertUnwindSafe(|| job(&allocator))) {
            Ok(()) => allocator.reset(),
            Err(_) => allocator = Allocator::default(),
        }
    }
}

//! The clock that guests are stopped by.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};
use std::thread;
use std::time::Duration;

use wasmtime::{Engine, Store, UpdateDeadline};

/// One epoch. A guest yields at each, so that many looping guests leave room for everything else.
pub(super) const TICK: Duration = Duration::from_millis(10);

/// Advances the engine's epoch as long as the engine lives.
pub(super) fn start_ticking(engine: &Engine) -> std::io::Result<()> {
    let engine = engine.weak();
    thread::Builder::new()
        .name("sandbox-epoch".into())
        .spawn(move || {
            loop {
                thread::sleep(TICK);
                match engine.upgrade() {
                    Some(engine) => engine.increment_epoch(),
                    None => break,
                }
            }
        })?;
    Ok(())
}

/// Counts the ticks in which a guest ran. Ticks that passed while it waited for its host count as one.
#[derive(Clone, Debug, Default)]
pub(super) struct GuestClock(Arc<AtomicU64>);

impl GuestClock {
    /// Ends the store's guest once it ran for longer than `budget`.
    pub(super) fn arm<T: 'static>(&self, store: &mut Store<T>, budget: Duration) {
        let budget_ticks = budget.as_millis().div_ceil(TICK.as_millis()).max(1);
        let ticks = Arc::clone(&self.0);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(move |_| {
            let ran = u128::from(ticks.fetch_add(1, Ordering::Relaxed)) + 1;
            Ok(if ran > budget_ticks {
                UpdateDeadline::Interrupt
            } else {
                UpdateDeadline::Yield(1)
            })
        });
    }
}

//! How many offers of a class may stand: enough that no worker waits, few enough that the broker's queues stay short
//! and what is urgent is never far behind.

use std::time::Duration;

/// How much work is offered ahead, in time.
const AHEAD: Duration = Duration::from_secs(2);

/// How fast the measured rate follows: after this long two thirds of a change are seen.
const FOLLOWS: Duration = Duration::from_secs(1);

/// Between which sizes a window stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Offers that may stand however slowly they are taken.
    pub least: u32,
    /// Offers that may stand however fast they are.
    pub most: u32,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            least: 64,
            most: 4096,
        }
    }
}

/// How many offers may stand: about two seconds of work at the rate at which they are taken.
///
/// Where several schedulers run, each sees only what became of its own offers, so that their windows together are still
/// about that.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    bounds: Bounds,
    /// Offers taken in a second, averaged over the recent past.
    rate: f64,
}

impl Window {
    /// The smallest one that the bounds allow.
    pub fn new(bounds: Bounds) -> Self {
        Self { bounds, rate: 0.0 }
    }

    /// How many offers may stand.
    pub fn size(&self) -> u32 {
        let wanted = self.rate * AHEAD.as_secs_f64();
        // A float that is too large, or none, becomes the nearest integer there is.
        (wanted.round() as u32).clamp(self.bounds.least, self.bounds.most.max(self.bounds.least))
    }

    /// How many offers can be added to those that stand.
    pub fn room(&self, standing: u64) -> u32 {
        let standing = u32::try_from(standing).unwrap_or(u32::MAX);
        self.size().saturating_sub(standing)
    }

    /// Takes note of how many offers left the window in a span of time.
    pub fn measured(&mut self, left: u64, span: Duration) {
        let seconds = span.as_secs_f64();
        if seconds <= 0.0 {
            return;
        }
        // However long the span, and however irregular: the weight of what was before fades with time alone.
        let fresh = 1.0 - (-seconds / FOLLOWS.as_secs_f64()).exp();
        self.rate += fresh * (left as f64 / seconds - self.rate);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(spans: &[(u64, u64)]) -> Window {
        let mut window = Window::new(Bounds::default());
        for (left, milliseconds) in spans {
            window.measured(*left, Duration::from_millis(*milliseconds));
        }
        window
    }

    #[test]
    fn about_two_seconds_of_work_between_the_bounds() {
        let steady = [(20, 20); 500];
        let rows: [(&str, Window, u32); 7] = [
            ("nothing is known", after(&[]), 64),
            ("no time passed", after(&[(1000, 0)]), 64),
            ("slow: the least", after(&[(1, 1000); 20]), 64),
            ("1,000 a second", after(&steady), 2000),
            ("the same, seen seldom", after(&[(5000, 5000); 20]), 2000),
            ("fast: the most", after(&[(2000, 20); 500]), 4096),
            (
                "it fades",
                after(&[&steady[..], &[(0, 10_000)]].concat()),
                64,
            ),
        ];
        for (what, window, size) in rows {
            let off = window.size().abs_diff(size);
            assert!(off <= size / 100, "{what}: {} is not {size}", window.size());
        }
    }

    #[test]
    fn a_burst_opens_it_within_a_second() {
        let window = after(&[(64, 20); 25]);
        assert!(window.size() > 2000, "{}", window.size());
    }

    #[test]
    fn room_is_what_does_not_stand_yet() {
        let window = Window::new(Bounds { least: 10, most: 5 });
        for (standing, room) in [(0, 10), (4, 6), (10, 0), (11, 0), (u64::MAX, 0)] {
            assert_eq!(window.room(standing), room, "{standing}");
        }
    }
}

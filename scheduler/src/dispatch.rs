//! Jobs go out: what is due is offered, published, and withdrawn where the broker did not take it.

use std::sync::Arc;
use std::time::{Duration, Instant};

use realmdex_queue::{Broker, BrokerState, Hint};
use realmdex_store::{JobId, OfferTime, Store, StoreError};
use realmdex_types::JobClass;
use tokio_util::sync::CancellationToken;

use crate::Metrics;
use crate::outage::Outage;
use crate::wake::Sleeper;
use crate::window::{Bounds, Window};

/// How jobs are offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DispatchConfig {
    /// Between which sizes the window of each class stays.
    pub window: Bounds,
    /// How long an offer stands at first. One that lapses is made again, and stands longer each time.
    pub offer_stands: Duration,
    /// Jobs that are offered and published at once, at most.
    pub batch: u32,
    /// How often to look while there is work.
    pub busy_period: Duration,
    /// How often to look when there has been none for a while: what is enqueued in this process wakes at once.
    pub idle_period: Duration,
}

impl Default for DispatchConfig {
    fn default() -> Self {
        Self {
            window: Bounds::default(),
            offer_stands: Duration::from_secs(30),
            batch: 512,
            busy_period: Duration::from_millis(20),
            idle_period: Duration::from_millis(250),
        }
    }
}

/// Offers the jobs of one class.
#[derive(Debug)]
pub struct Dispatcher {
    store: Store,
    broker: Broker,
    class: JobClass,
    config: DispatchConfig,
    metrics: Arc<Metrics>,
    window: Window,
    /// How many offers stood after the last round, and when that was.
    before: Option<(u64, Instant)>,
}

/// What a round did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Round {
    /// Offers that stood before it, whoever made them.
    pub standing: u64,
    /// Jobs that the broker has now.
    pub offered: usize,
    /// Jobs that it did not take: they are due again.
    pub returned: usize,
    /// Whether more may be due that there is room for.
    pub has_more: bool,
}

impl Dispatcher {
    /// For one class of jobs.
    pub fn new(
        store: Store,
        broker: Broker,
        class: JobClass,
        config: DispatchConfig,
        metrics: Arc<Metrics>,
    ) -> Self {
        Self {
            store,
            broker,
            class,
            config,
            metrics,
            window: Window::new(config.window),
            before: None,
        }
    }

    /// Offers what is due and fits into the window. Nothing is held while the broker is waited for.
    ///
    /// # Errors
    /// Whatever the database says. What was offered and not published is offered again when the offer lapses.
    pub async fn round(&mut self) -> Result<Round, StoreError> {
        let standing = self.store.standing_offers(self.class).await?;
        let now = Instant::now();
        if let Some((before, since)) = self.before {
            self.window
                .measured(before.saturating_sub(standing), now - since);
        }
        self.before = Some((standing, now));
        let room = self.window.room(standing);
        let batch = room.min(self.config.batch);
        self.metrics
            .window_measured(self.class, self.window.size(), standing);
        let mut round = Round {
            standing,
            ..Round::default()
        };
        if batch == 0 {
            return Ok(round);
        }
        let stands = OfferTime(self.config.offer_stands);
        let due = self.store.offer_due(self.class, batch, stands).await?;
        if due.is_empty() {
            return Ok(round);
        }
        let hints: Vec<Hint> = due.iter().map(|job| Hint(job.number())).collect();
        let not_taken = self.broker.publish(self.class, &hints).await;
        round.returned = not_taken.len();
        round.offered = due.len().saturating_sub(not_taken.len());
        round.has_more = due.len() >= batch as usize && batch < room && not_taken.is_empty();
        self.before = Some((standing + round.offered as u64, now));
        self.metrics
            .offers_made(self.class, round.offered, round.returned);
        if !not_taken.is_empty() {
            let jobs: Vec<JobId> = not_taken
                .iter()
                .map(|hint| JobId::numbered(hint.0))
                .collect();
            self.store.withdraw_offers(&jobs).await?;
        }
        Ok(round)
    }

    /// Round after round until it is told to stop; one that has begun is ended. Nothing is offered while the broker
    /// takes nothing.
    pub(crate) async fn run(mut self, mut sleeper: Sleeper, shutdown: CancellationToken) {
        let mut outage = Outage::none(format!("offering {} jobs", self.class.as_str()));
        let mut pause = self.config.busy_period;
        while !shutdown.is_cancelled() {
            if self.broker.state() != BrokerState::Ready {
                // What leaves the window meanwhile says nothing about how fast it will.
                self.before = None;
                tokio::select! {
                    () = shutdown.cancelled() => {}
                    () = self.broker.changed() => {}
                    () = tokio::time::sleep(self.config.idle_period) => {}
                }
                continue;
            }
            match self.round().await {
                Ok(round) => {
                    outage.is_over();
                    if round.has_more {
                        continue;
                    }
                    pause = self.pause_after(round, pause);
                }
                Err(error) => {
                    outage.began(&error);
                    self.metrics.dispatch_failed(self.class);
                    pause = self.config.idle_period;
                    tokio::select! {
                        () = shutdown.cancelled() => {}
                        () = tokio::time::sleep(pause) => {}
                    }
                    continue;
                }
            }
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = sleeper.woken() => pause = self.config.busy_period,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    /// Short while there is work, and ever longer while there is none.
    fn pause_after(&self, round: Round, pause: Duration) -> Duration {
        if round.returned > 0 {
            self.config.idle_period
        } else if round.offered > 0 || round.standing > 0 {
            self.config.busy_period
        } else {
            (pause * 2).clamp(
                self.config.busy_period,
                self.config.idle_period.max(self.config.busy_period),
            )
        }
    }
}

/// Tells when the broker takes nothing, and when it does again, until it is told to stop.
pub(crate) async fn tell_of_broker(
    broker: Broker,
    metrics: Arc<Metrics>,
    shutdown: CancellationToken,
) {
    let mut told = BrokerState::Ready;
    loop {
        let state = broker.state();
        metrics.broker_is_up(state == BrokerState::Ready);
        // The reason may change at each try to connect; that is not news.
        if std::mem::discriminant(&state) != std::mem::discriminant(&told) {
            match &state {
                BrokerState::Ready => {
                    tracing::info!("the broker takes jobs again");
                }
                BrokerState::Blocked { why } => {
                    tracing::warn!(
                        why,
                        "the broker is short of memory or disk: jobs wait in the database"
                    );
                }
                BrokerState::Down { why } => {
                    tracing::warn!(
                        why,
                        "the broker can't be reached: jobs wait in the database"
                    );
                }
            }
            told = state;
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = broker.changed() => {}
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
        }
    }
}

//! All of it together.

use std::panic::resume_unwind;
use std::sync::Arc;

use realmdex_queue::Broker;
use realmdex_store::Store;
use realmdex_types::JobClass;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::access::Access;
use crate::dispatch::{DispatchConfig, Dispatcher, tell_of_broker};
use crate::intake::Intake;
use crate::operator::Operator;
use crate::public::Public;
use crate::reconcile::{self, ReconcileConfig, Reconciler};
use crate::watch::{self, WatchConfig};
use crate::{Metrics, Wakes};

/// What a scheduler works with, and how.
#[derive(Clone, Debug)]
pub struct SchedulerConfig {
    /// The index.
    pub store: Store,
    /// Where jobs go.
    pub broker: Broker,
    /// What it counts.
    pub metrics: Arc<Metrics>,
    /// How jobs are offered.
    pub dispatch: DispatchConfig,
    /// What heals, and how often.
    pub reconcile: ReconcileConfig,
    /// How folders are watched; none where they are not.
    pub watch: Option<WatchConfig>,
}

/// Takes changes in and hands jobs out.
#[derive(Debug)]
pub struct Scheduler {
    config: SchedulerConfig,
    wakes: Wakes,
}

impl Scheduler {
    /// One that has yet to be run.
    pub fn new(config: SchedulerConfig) -> Self {
        Self {
            config,
            wakes: Wakes::default(),
        }
    }

    /// Whom to wake, for whoever enqueues in this process.
    pub fn wakes(&self) -> Wakes {
        self.wakes.clone()
    }

    /// What its operator's listener works with: it asks for stored tokens, once there are any.
    pub fn operator(&self) -> Operator {
        Operator::new(self.config.store.clone(), Arc::clone(&self.config.metrics))
            .with_broker(self.config.broker.clone())
            .with_wakes(self.wakes())
            .with_stored_tokens()
    }

    /// What its public listener works with.
    pub fn public(&self, access: Access) -> Public {
        let metrics = Arc::clone(&self.config.metrics);
        Public::new(self.config.store.clone(), access, metrics, self.wakes())
    }

    /// Runs until it is told to stop; what has begun is ended first.
    ///
    /// # Panics
    /// When one of its tasks does: one that does half of the work is worse than none.
    pub async fn run(self, shutdown: CancellationToken) {
        let Self { config, wakes } = self;
        let mut tasks = JoinSet::new();
        tasks.spawn(tell_of_broker(
            config.broker.clone(),
            Arc::clone(&config.metrics),
            shutdown.clone(),
        ));
        for class in JobClass::ALL {
            let dispatcher = Dispatcher::new(
                config.store.clone(),
                config.broker.clone(),
                class,
                config.dispatch,
                Arc::clone(&config.metrics),
            );
            tasks.spawn(dispatcher.run(wakes.dispatch.sleeper(), shutdown.clone()));
        }
        for reconciler in Reconciler::ALL {
            if let Some(period) = config.reconcile.period(reconciler) {
                tasks.spawn(reconcile::run(
                    reconciler,
                    period,
                    config.reconcile.keep,
                    config.store.clone(),
                    Arc::clone(&config.metrics),
                    wakes.clone(),
                    shutdown.clone(),
                ));
            }
        }
        if let Some(watch) = config.watch {
            let intake = Intake::new(
                config.store.clone(),
                Arc::clone(&config.metrics),
                wakes.clone(),
            );
            tasks.spawn(watch::run(
                config.store,
                intake,
                wakes.registry.sleeper(),
                watch,
                shutdown.clone(),
            ));
        }
        while let Some(ended) = tasks.join_next().await {
            if let Err(panicked) = ended
                && panicked.is_panic()
            {
                resume_unwind(panicked.into_panic());
            }
        }
    }
}

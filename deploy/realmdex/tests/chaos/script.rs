//! What is done to the realms and to the fleet, all of it decided before anything runs: a seed says it once and for all.

use std::collections::BTreeMap;
use std::time::Duration;

use fastrand::Rng;
use realmdex_scheduler::operator::wire::{Change, Operation};

use crate::realm::{A, B, World};
use crate::texts::without_extension;
use crate::tree::{FileOp, Part};

/// How much is done.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Steps, faults aside.
    pub steps: usize,
    /// The mean pause between two.
    pub pause: Duration,
    /// For each time that the broker is restarted: kills and cuts.
    pub faults: usize,
}

/// A step, and the pause before it.
#[derive(Debug)]
pub struct Step {
    pub pause: Duration,
    /// Which scheduler is asked first.
    pub scheduler: usize,
    pub action: Action,
}

/// Something that is done.
#[derive(Debug)]
pub enum Action {
    /// Files are changed in a realm, and that is announced or not.
    Files {
        what: &'static str,
        realm: usize,
        ops: Vec<FileOp>,
        announced: Vec<Change>,
    },
    /// A whole realm is asked for.
    Reindex { realm: usize, force: bool },
    /// All jobs of a realm are called off.
    Cancel { realm: usize },
    /// The second realm has another owner and other readers.
    Rights {
        owner: &'static str,
        readers: &'static [&'static str],
    },
    /// A realm is archived, or taken back.
    Archive { realm: usize, undo: bool },
    /// Something breaks.
    Fault(Fault),
}

/// What breaks, or is taken away for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// SIGKILL.
    KillWorker(usize),
    /// SIGSTOP for longer than a lease, as a part of it in hundredths; then SIGCONT.
    StopWorker(usize, u32),
    /// SIGTERM: it drains.
    EndWorker(usize),
    KillScheduler(usize),
    EndScheduler(usize),
    RestartBroker,
    KillBroker,
    RestartDatabase,
    KillDatabase,
    /// Connections to the database are ended, all of them or every other one.
    CutDatabase {
        all: bool,
    },
    /// Connections to the broker are closed.
    CutBroker,
}

pub const WORKERS: usize = 3;
pub const SCHEDULERS: usize = 2;

/// Whose the first realm is.
pub const OWNER: &str = "ann";

/// The steps of a run. The world is left as it will be then.
pub fn script(world: &mut World, plan: Plan, rng: &mut Rng) -> Vec<Step> {
    let faults = faults(plan, rng);
    let mut script = Script {
        world,
        rng,
        archived: [None; 2],
    };
    let mut steps = Vec::new();
    for at in 0..plan.steps {
        let mut actions: Vec<Action> = faults
            .range(at..=at)
            .flat_map(|(_, faults)| faults)
            .map(|fault| Action::Fault(*fault))
            .collect();
        actions.extend(script.due(at));
        actions.push(script.action(at));
        for action in actions {
            steps.push(Step {
                pause: plan.pause.mul_f64(2.0 * script.rng.f64()),
                scheduler: script.rng.usize(..SCHEDULERS),
                action,
            });
        }
    }
    let end = [A, B].map(|realm| Action::Archive { realm, undo: true });
    let open = Action::Rights {
        owner: OWNER,
        readers: &["*"],
    };
    steps.extend(end.into_iter().chain([open]).map(|action| Step {
        pause: Duration::ZERO,
        scheduler: 0,
        action,
    }));
    steps
}

/// Faults by the step they come before, each kind spread over the whole run.
fn faults(plan: Plan, rng: &mut Rng) -> BTreeMap<usize, Vec<Fault>> {
    let mut faults: BTreeMap<usize, Vec<Fault>> = BTreeMap::new();
    let mut spread = |kinds: Vec<Fault>, rng: &mut Rng| {
        let count = kinds.len();
        for (number, fault) in kinds.into_iter().enumerate() {
            let share = (number as f64 + 0.1 + 0.8 * rng.f64()) / count as f64;
            faults
                .entry((share * plan.steps as f64) as usize)
                .or_default()
                .push(fault);
        }
    };
    let many = plan.faults;
    spread(
        vec![
            Fault::RestartBroker,
            Fault::KillBroker,
            Fault::RestartBroker,
        ],
        rng,
    );
    spread(vec![Fault::RestartDatabase, Fault::KillDatabase], rng);
    let workers = |count: usize, fault: fn(usize) -> Fault, rng: &mut Rng| -> Vec<Fault> {
        (0..count).map(|_| fault(rng.usize(..WORKERS))).collect()
    };
    let kills = workers(5 * many, Fault::KillWorker, rng);
    spread(kills, rng);
    let stops = (0..2 * many)
        .map(|_| Fault::StopWorker(rng.usize(..WORKERS), rng.u32(120..200)))
        .collect();
    spread(stops, rng);
    let ends = workers(many, Fault::EndWorker, rng);
    spread(ends, rng);
    let schedulers = (0..2 * many)
        .map(|number| {
            let scheduler = rng.usize(..SCHEDULERS);
            if number % 2 == 0 {
                Fault::KillScheduler(scheduler)
            } else {
                Fault::EndScheduler(scheduler)
            }
        })
        .collect();
    spread(schedulers, rng);
    let cuts = (0..2 * many)
        .map(|_| Fault::CutDatabase { all: rng.bool() })
        .collect();
    spread(cuts, rng);
    spread(vec![Fault::CutBroker; 2 * many], rng);
    faults
}

struct Script<'a> {
    world: &'a mut World,
    rng: &'a mut Rng,
    /// Until which step each realm is archived.
    archived: [Option<usize>; 2],
}

/// What is done, and how often beside the others.
const WEIGHTS: [(&str, u32); 22] = [
    ("edit base", 5),
    ("edit lib", 6),
    ("edit tool", 6),
    ("edit skill", 7),
    ("edit plain", 5),
    ("break module", 3),
    ("mend modules", 2),
    ("edit rules", 3),
    ("same bytes", 1),
    ("rumour", 1),
    ("create", 7),
    ("create wanted", 3),
    ("re-create", 3),
    ("delete", 6),
    ("rename", 5),
    ("rename folder", 3),
    ("delete folder", 1),
    ("swap extension", 3),
    ("shadow", 3),
    ("many at once", 2),
    ("reindex", 4),
    ("steer", 7),
];

impl Script<'_> {
    /// Realms that are taken back now.
    fn due(&mut self, at: usize) -> Vec<Action> {
        let mut actions = Vec::new();
        for realm in [A, B] {
            if self.archived[realm].is_some_and(|until| until <= at) {
                self.archived[realm] = None;
                actions.push(Action::Archive { realm, undo: true });
            }
        }
        actions
    }

    fn action(&mut self, at: usize) -> Action {
        let total: u32 = WEIGHTS.iter().map(|(_, weight)| weight).sum();
        let mut throw = self.rng.u32(..total);
        let mut what = WEIGHTS[0].0;
        for (name, weight) in WEIGHTS {
            if throw < weight {
                what = name;
                break;
            }
            throw -= weight;
        }
        let realm = if self.rng.u8(..10) < 6 { A } else { B };
        match what {
            "reindex" => Action::Reindex {
                realm,
                force: self.rng.u8(..4) == 0,
            },
            "steer" => self.steer(realm, at),
            _ => self.files(what, realm),
        }
    }

    fn steer(&mut self, realm: usize, at: usize) -> Action {
        match self.rng.u8(..7) {
            0 | 1 => Action::Cancel { realm },
            2 if self.archived[realm].is_none() => {
                self.archived[realm] = Some(at + self.rng.usize(3..12));
                Action::Archive { realm, undo: false }
            }
            _ => {
                const RIGHTS: [(&str, &[&str]); 6] = [
                    ("bob", &[]),
                    ("bob", &["*"]),
                    ("bob", &["carol", OWNER]),
                    ("bob", &["carol"]),
                    (OWNER, &[]),
                    (OWNER, &["*"]),
                ];
                let (owner, readers) = RIGHTS[self.rng.usize(..RIGHTS.len())];
                Action::Rights { owner, readers }
            }
        }
    }

    fn files(&mut self, what: &'static str, realm: usize) -> Action {
        let ops = self.ops(what, realm);
        let is_announced = self.rng.u8(..10) < 8;
        let mut announced = Vec::new();
        if is_announced || what == "rumour" {
            for op in &ops {
                self.announce(realm, op, &mut announced);
            }
        }
        if what == "rumour" {
            // It is said, and nothing has happened.
            return Action::Files {
                what,
                realm,
                ops: Vec::new(),
                announced,
            };
        }
        Action::Files {
            what,
            realm,
            ops,
            announced,
        }
    }

    fn ops(&mut self, what: &str, realm: usize) -> Vec<FileOp> {
        let edited = match what {
            "edit base" => Some(Part::Base),
            "edit lib" => Some(Part::Lib),
            "edit tool" => Some(Part::Tool),
            "edit skill" => Some(Part::Skill),
            "edit plain" => Some(Part::Plain),
            "edit rules" => Some(Part::Rules),
            _ => None,
        };
        if let Some(part) = edited {
            return self.edit(realm, part);
        }
        match what {
            "break module" => {
                let part = self.module();
                let path = self.world.realms[realm].pick(part, self.rng);
                path.map(|path| self.world.break_module(realm, &path, self.rng))
                    .into_iter()
                    .collect()
            }
            "mend modules" => (0..4)
                .flat_map(|_| {
                    let part = self.module();
                    self.edit(realm, part)
                })
                .collect(),
            "same bytes" => {
                let part = self.any_part();
                let tree = &mut self.world.realms[realm];
                let path = tree.pick(part, self.rng);
                path.and_then(|path| {
                    let text = tree.text(&path)?.to_owned();
                    Some(tree.write(&path, text, true))
                })
                .into_iter()
                .collect()
            }
            "rumour" => {
                let part = self.any_part();
                let tree = &self.world.realms[realm];
                let path = tree.pick(part, self.rng).unwrap_or_default();
                vec![
                    FileOp::Remove { path },
                    FileOp::Remove {
                        path: "notes/never/was.md".to_owned(),
                    },
                ]
            }
            "create" => {
                let part = self.any_part();
                vec![self.world.add(realm, part, self.rng)]
            }
            "create wanted" => self.create_wanted(realm),
            "re-create" => self.create_again(realm),
            "delete" => {
                let part = self.any_part();
                self.delete(realm, part)
            }
            "rename" => self.rename(realm),
            "rename folder" => {
                let folder = self.folder(realm);
                folder
                    .map(|folder| {
                        let to = self.world.free_folder(&folder);
                        let tree = &mut self.world.realms[realm];
                        let gone = tree.below(&folder).into_iter().map(|path| (realm, path));
                        self.world.gone.extend(gone);
                        tree.rename_folder(&folder, &to)
                    })
                    .into_iter()
                    .collect()
            }
            "delete folder" => {
                let folder = self.folder(realm);
                folder
                    .map(|folder| {
                        let tree = &mut self.world.realms[realm];
                        let gone = tree.below(&folder).into_iter().map(|path| (realm, path));
                        self.world.gone.extend(gone);
                        tree.remove_folder(&folder)
                    })
                    .into_iter()
                    .collect()
            }
            "swap extension" => self.swap_extension(realm),
            "shadow" => self.shadow(realm),
            _ => (0..self.rng.usize(5..40))
                .flat_map(|_| {
                    let part = self.any_part();
                    match self.rng.u8(..8) {
                        0 => self.delete(realm, part),
                        1 | 2 => vec![self.world.add(realm, part, self.rng)],
                        _ => self.edit(realm, part),
                    }
                })
                .collect(),
        }
    }

    fn module(&mut self) -> Part {
        [Part::Base, Part::Lib, Part::Tool][self.rng.usize(..3)]
    }

    fn any_part(&mut self) -> Part {
        const PARTS: [Part; 9] = [
            Part::Skill,
            Part::Skill,
            Part::Skill,
            Part::Tool,
            Part::Tool,
            Part::Lib,
            Part::Base,
            Part::Plain,
            Part::Plain,
        ];
        PARTS[self.rng.usize(..PARTS.len())]
    }

    fn folder(&mut self, realm: usize) -> Option<String> {
        let top = ["skills", "lib", "base", "tools", "notes"][self.rng.usize(..5)];
        self.world.realms[realm].pick_folder(top, self.rng)
    }

    fn edit(&mut self, realm: usize, part: Part) -> Vec<FileOp> {
        let path = self.world.realms[realm].pick(part, self.rng);
        path.map(|path| self.world.rewrite(realm, &path, self.rng))
            .into_iter()
            .collect()
    }

    fn delete(&mut self, realm: usize, part: Part) -> Vec<FileOp> {
        let tree = &mut self.world.realms[realm];
        let Some(path) = tree.pick(part, self.rng) else {
            return Vec::new();
        };
        let op = tree.remove(&path);
        self.world.gone.push((realm, path));
        vec![op]
    }

    /// Something that a skill has asked for all along.
    fn create_wanted(&mut self, realm: usize) -> Vec<FileOp> {
        let wanted = &mut self.world.wanted;
        let Some(at) = wanted.iter().position(|(of, _)| *of == realm) else {
            return Vec::new();
        };
        let (_, path) = wanted.remove(at);
        vec![self.world.rewrite(realm, &path, self.rng)]
    }

    fn create_again(&mut self, realm: usize) -> Vec<FileOp> {
        let mut gone: Vec<String> = self
            .world
            .gone
            .iter()
            .filter(|(of, path)| *of == realm && self.world.realms[realm].text(path).is_none())
            .map(|(_, path)| path.clone())
            .collect();
        gone.dedup();
        let path = self.rng.choice(gone);
        path.map(|path| self.world.rewrite(realm, &path, self.rng))
            .into_iter()
            .collect()
    }

    fn rename(&mut self, realm: usize) -> Vec<FileOp> {
        let part = self.any_part();
        let Some(from) = self.world.realms[realm].pick(part, self.rng) else {
            return Vec::new();
        };
        let to = self.world.free_path(part, self.rng);
        self.world.gone.push((realm, from.clone()));
        vec![self.world.realms[realm].rename(&from, &to)]
    }

    /// The same text under another extension: whoever asks without one finds it still.
    fn swap_extension(&mut self, realm: usize) -> Vec<FileOp> {
        let Some((from, to)) = self.beside(realm) else {
            return Vec::new();
        };
        self.world.gone.push((realm, from.clone()));
        vec![self.world.realms[realm].rename(&from, &to)]
    }

    /// Another module beside one, that is found first or last.
    fn shadow(&mut self, realm: usize) -> Vec<FileOp> {
        let Some((_, path)) = self.beside(realm) else {
            return Vec::new();
        };
        vec![self.world.rewrite(realm, &path, self.rng)]
    }

    /// A module, and the same name with another extension that is free.
    fn beside(&mut self, realm: usize) -> Option<(String, String)> {
        let part = [Part::Lib, Part::Tool][self.rng.usize(..2)];
        let tree = &self.world.realms[realm];
        let path = tree.pick(part, self.rng)?;
        let mut others: Vec<String> = ["js", "ts", "mjs", "gts", "gjs"]
            .iter()
            .map(|extension| format!("{}.{extension}", without_extension(&path)))
            .collect();
        others.retain(|other| tree.text(other).is_none());
        Some((path, self.rng.choice(others)?))
    }

    /// What a watcher or a webhook would say of an operation.
    fn announce(&mut self, realm: usize, op: &FileOp, changes: &mut Vec<Change>) {
        let mut change = |path: String, operation: Operation, rng: &mut Rng| {
            changes.push(Change {
                path,
                operation: (rng.u8(..3) > 0).then_some(operation),
            });
        };
        let rng = &mut *self.rng;
        match op {
            FileOp::Write { path, .. } => change(path.clone(), Operation::Update, rng),
            FileOp::Remove { path } => change(path.clone(), Operation::Delete, rng),
            FileOp::Rename { from, to } => {
                change(from.clone(), Operation::Delete, rng);
                change(to.clone(), Operation::Update, rng);
            }
            FileOp::RemoveFolder { path } => change(format!("{path}/"), Operation::Delete, rng),
            FileOp::RenameFolder { from, to } => {
                if rng.bool() {
                    change(format!("{from}/"), Operation::Delete, rng);
                    change(format!("{to}/"), Operation::Update, rng);
                    return;
                }
                // File by file, as some say it.
                for path in self.world.realms[realm].below(to) {
                    change(
                        format!("{from}{}", &path[to.len()..]),
                        Operation::Delete,
                        rng,
                    );
                    change(path, Operation::Update, rng);
                }
            }
        }
    }
}

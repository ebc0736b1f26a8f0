//! The index in Postgres: its tables, and every SQL statement of realmdex.
//!
//! All statements run on Postgres 15 and later and on the embedded one, which has a single connection: no function
//! here holds a connection while it waits for anything but the database.
//!
//! `commit` is the one way into the file rows; what it answers says which files are to be looked at again, so that in
//! the end each edge says what its target is (`edge`).

mod backlog;
mod cancel;
mod change;
mod commit;
mod connect;
mod definition;
mod edge;
mod enqueue;
mod error;
mod file;
mod finding;
mod happened;
mod ids;
mod job;
mod lease;
mod mend;
mod offer;
mod package;
mod realm;
mod redrive;
mod registry;
mod reindex;
mod retention;
mod sanitise;
mod served;
mod session;
mod settling;
mod skill;
mod skill_check;
mod token;
mod wrong;

pub use backlog::Backlog;
pub use cancel::{Cancelled, Indexing};
pub use change::{Changes, TakenIn};
pub use commit::{Committed, ComputedRow, FileFacts, FileWrite, Follow, Found, Place, StaleFile};
pub use connect::Store;
pub use definition::{DefinitionKey, StoredDefinition};
pub use edge::{BrokenEdge, Dependency, Dependent, ForeignEdge};
pub use enqueue::{Cause, Enqueued, NewJob};
pub use error::StoreError;
pub use file::{FileRow, Holdings, KnownFile, StampedSkill, TargetState};
pub use finding::FileFinding;
pub use happened::{FileHappened, Moment};
pub use ids::{ChangeSeq, FileId, JobId, RealmId};
pub use job::{ClaimedJob, JobFilter, JobRow, Lease, RowBefore, Work};
pub use lease::{Beat, Claims, Reaped};
pub use offer::OfferTime;
pub use package::{Announcement, Package};
pub use realm::{NewRealm, OPERATOR, Realm};
pub use registry::{RegisteredRealm, Registry, RegistryVersion};
pub use reindex::{Listing, ReindexRequest, ReindexRow};
pub use retention::Retention;
pub use served::{RowStamp, Seen, SeenFile, SeenRow, ServedFile, Sought};
pub use skill::FoundSkill;
pub use skill_check::{SkillCheck, SkillFailure};
pub use token::{NewToken, TokenRow};
pub use wrong::{SharedName, Wrong, WrongAsked, WrongFile, WrongPage};

//! The limits on describing a tool, by the names that `--limit` and `REALMDEX_LIMITS` give them.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use anyhow::Context;
use bytesize::ByteSize;
use realmdex_worker::modules::LoadLimits;
use realmdex_worker::sandbox::SandboxLimits;
use thiserror::Error;

/// Settings separated by commas; those of the command line win over them.
const VARIABLE: &str = "REALMDEX_LIMITS";

/// The limits that are set otherwise than by default.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Limits {
    /// Change a limit on describing a tool, for example `--limit guest-time=2s`. May be given many times; --help
    /// lists them.
    #[arg(
        long = "limit",
        value_name = "NAME=VALUE",
        value_delimiter = ',',
        long_help = help()
    )]
    settings: Vec<Setting>,
}

/// All limits on describing a tool.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolLimits {
    pub(crate) load: LoadLimits,
    pub(crate) sandbox: SandboxLimits,
}

impl Limits {
    /// Whether any is set on the command line.
    pub(crate) fn are_given(&self) -> bool {
        !self.settings.is_empty()
    }

    /// The limits in effect: those of the environment, then those of the command line.
    pub(crate) fn in_effect(&self) -> anyhow::Result<ToolLimits> {
        let variable = match std::env::var(VARIABLE) {
            Ok(text) => text,
            Err(std::env::VarError::NotPresent) => String::new(),
            Err(error) => return Err(error).context(VARIABLE),
        };
        let environment = settings(&variable).context(VARIABLE)?;
        let mut limits = ToolLimits::default();
        limits.apply(&environment);
        limits.apply(&self.settings);
        Ok(limits)
    }
}

impl ToolLimits {
    fn apply(&mut self, settings: &[Setting]) {
        for setting in settings {
            (setting.limit.set)(self, setting.value);
        }
    }

    /// All of them as one argument of `--limit`, for a process that is to have the same.
    pub(crate) fn as_argument(&self) -> String {
        let settings = LIMITS.iter().map(|limit| {
            let value = (limit.get)(self);
            Setting { limit, value }.to_string()
        });
        settings.collect::<Vec<_>>().join(",")
    }
}

/// A limit and its new value.
#[derive(Clone, Copy)]
struct Setting {
    limit: &'static Limit,
    /// In the base unit of the limit's kind.
    value: u64,
}

/// What kind of value a limit has, and so how it is written.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// In milliseconds.
    Time,
    /// In bytes.
    Size,
    Count,
}

/// A limit with a name.
struct Limit {
    name: &'static str,
    what: &'static str,
    kind: Kind,
    range: RangeInclusive<u64>,
    get: fn(&ToolLimits) -> u64,
    set: fn(&mut ToolLimits, u64),
}

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
const SECOND: u64 = 1000;
const HOUR: u64 = 3600 * SECOND;

/// Every limit. The ranges end where a value makes no sense, or where the sandbox could not be set up with it.
static LIMITS: [Limit; 13] = [
    Limit {
        name: "guest-time",
        what: "computing, of one tool (once more and ten times as long, alone, if it is reached)",
        kind: Kind::Time,
        range: 1..=HOUR,
        get: |limits| millis(limits.sandbox.guest_time),
        set: |limits, value| limits.sandbox.guest_time = Duration::from_millis(value),
    },
    Limit {
        name: "memory",
        what: "memory of the instance that describes a tool",
        kind: Kind::Size,
        // Below, our JavaScript engine has no room; above, there are no addresses in its instance.
        range: 16 * MIB..=4 * GIB,
        get: |limits| limits.sandbox.memory_bytes as u64,
        set: |limits, value| limits.sandbox.memory_bytes = index(value),
    },
    Limit {
        name: "stack",
        what: "stack of that instance",
        kind: Kind::Size,
        range: 128 * KIB..=64 * MIB,
        get: |limits| limits.sandbox.stack_bytes as u64,
        set: |limits, value| limits.sandbox.stack_bytes = index(value),
    },
    Limit {
        name: "definition",
        what: "a definition as JSON",
        kind: Kind::Size,
        range: 1..=64 * MIB,
        get: |limits| limits.sandbox.definition_bytes as u64,
        set: |limits, value| limits.sandbox.definition_bytes = index(value),
    },
    Limit {
        name: "instances",
        what: "instances at once; more tools than that wait",
        kind: Kind::Count,
        range: 1..=1000,
        get: |limits| limits.sandbox.instances.into(),
        set: |limits, value| limits.sandbox.instances = u32::try_from(value).unwrap_or(u32::MAX),
    },
    Limit {
        name: "source-wait",
        what: "waiting for the sources of one tool altogether",
        kind: Kind::Time,
        range: 1..=HOUR,
        get: |limits| millis(limits.load.source_wait),
        set: |limits, value| limits.load.source_wait = Duration::from_millis(value),
    },
    Limit {
        name: "module",
        what: "one module's source",
        kind: Kind::Size,
        range: 1..=GIB,
        get: |limits| limits.load.module_bytes,
        set: |limits, value| limits.load.module_bytes = value,
    },
    Limit {
        name: "modules",
        what: "modules in one tool's closure",
        kind: Kind::Count,
        range: 1..=1_000_000,
        get: |limits| limits.load.modules as u64,
        set: |limits, value| limits.load.modules = index(value),
    },
    Limit {
        name: "closure",
        what: "source of one tool's closure",
        kind: Kind::Size,
        range: 1..=GIB,
        get: |limits| limits.load.closure_bytes,
        set: |limits, value| limits.load.closure_bytes = value,
    },
    Limit {
        name: "lookups",
        what: "imports that one tool looks up",
        kind: Kind::Count,
        range: 1..=10_000_000,
        get: |limits| limits.load.lookups as u64,
        set: |limits, value| limits.load.lookups = index(value),
    },
    Limit {
        name: "component",
        what: "a wasm tool",
        kind: Kind::Size,
        range: 1..=GIB,
        get: |limits| limits.load.component_bytes,
        set: |limits, value| {
            limits.load.component_bytes = value;
            limits.sandbox.component_bytes = index(value);
        },
    },
    Limit {
        name: "compile-time",
        what: "processor time for compiling a wasm tool, in whole seconds",
        kind: Kind::Time,
        range: SECOND..=HOUR,
        get: |limits| millis(limits.sandbox.compile_time),
        set: |limits, value| limits.sandbox.compile_time = Duration::from_millis(value),
    },
    Limit {
        name: "compile-memory",
        what: "memory for compiling a wasm tool",
        kind: Kind::Size,
        range: 64 * MIB..=1024 * GIB,
        get: |limits| limits.sandbox.compile_memory_bytes,
        set: |limits, value| limits.sandbox.compile_memory_bytes = value,
    },
];

/// Why a text sets no limit.
#[derive(Debug, Error, PartialEq, Eq)]
enum SettingError {
    #[error("{0:?} should be NAME=VALUE, for example guest-time=2s")]
    NoPair(String),
    #[error("there is no limit {0:?}: the limits are {names}", names = names())]
    Unknown(String),
    #[error("the limit {name} can't be {value:?}: {mend}")]
    NoValue {
        name: &'static str,
        value: String,
        mend: &'static str,
    },
    #[error("the limit {name} can't be {value}: it must be between {least} and {most}")]
    OutOfRange {
        name: &'static str,
        value: String,
        least: String,
        most: String,
    },
}

/// Reads settings separated by commas; empty ones are passed over.
fn settings(text: &str) -> Result<Vec<Setting>, SettingError> {
    text.split(',')
        .filter(|setting| !setting.trim().is_empty())
        .map(str::parse)
        .collect()
}

impl FromStr for Setting {
    type Err = SettingError;

    fn from_str(text: &str) -> Result<Self, SettingError> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| SettingError::NoPair(text.to_owned()))?;
        let (name, value) = (name.trim(), value.trim());
        let limit = LIMITS
            .iter()
            .find(|limit| limit.name == name)
            .ok_or_else(|| SettingError::Unknown(name.to_owned()))?;
        let wrong = || SettingError::NoValue {
            name: limit.name,
            value: value.to_owned(),
            mend: limit.kind.mend(),
        };
        let amount = limit.kind.parse(value).ok_or_else(wrong)?;
        if !limit.range.contains(&amount) {
            return Err(SettingError::OutOfRange {
                name: limit.name,
                value: value.to_owned(),
                least: limit.kind.shown(*limit.range.start()),
                most: limit.kind.shown(*limit.range.end()),
            });
        }
        Ok(Self {
            limit,
            value: amount,
        })
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.limit.kind {
            Kind::Time => "ms",
            Kind::Size => "B",
            Kind::Count => "",
        };
        write!(f, "{}={}{unit}", self.limit.name, self.value)
    }
}

impl fmt::Debug for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Kind {
    fn parse(self, text: &str) -> Option<u64> {
        match self {
            Self::Time => humantime::parse_duration(text).ok().map(millis),
            Self::Size => text.parse::<ByteSize>().ok().map(|size| size.as_u64()),
            Self::Count => text.parse().ok(),
        }
    }

    fn mend(self) -> &'static str {
        match self {
            Self::Time => "write a time with its unit, such as 500ms, 2s or 1m",
            Self::Size => "write a size with its unit, such as 512KiB or 64MiB",
            Self::Count => "write a whole number",
        }
    }

    /// A value as a person would write it.
    fn shown(self, value: u64) -> String {
        match self {
            Self::Time => humantime::format_duration(Duration::from_millis(value)).to_string(),
            Self::Size if value < KIB => format!("{value} B"),
            Self::Size => ByteSize(value).to_string().replace(".0 ", " "),
            Self::Count => value.to_string(),
        }
    }
}

fn names() -> String {
    let names: Vec<_> = LIMITS.iter().map(|limit| limit.name).collect();
    names.join(", ")
}

fn help() -> String {
    let defaults = ToolLimits::default();
    let mut text = format!(
        "Change a limit on describing a tool, for example `--limit guest-time=2s`. May be given many times, and \
         several may be separated by commas; {VARIABLE} is read in the same form, before what is given here:\n"
    );
    for limit in &LIMITS {
        let default = limit.kind.shown((limit.get)(&defaults));
        text += &format!("\n  {:<15} {default:<10} {}", limit.name, limit.what);
    }
    text
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn index(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        text.parse::<Setting>().expect_err(text).to_string()
    }

    #[test]
    fn values_as_people_write_them() {
        for (text, expected) in [
            ("guest-time=2s", "guest-time=2000ms"),
            ("guest-time=1m 30s", "guest-time=90000ms"),
            ("memory=128MiB", "memory=134217728B"),
            ("memory=0.5GiB", "memory=536870912B"),
            ("definition=1000", "definition=1000B"),
            ("modules=500", "modules=500"),
            (" stack = 2 MiB ", "stack=2097152B"),
        ] {
            assert_eq!(text.parse::<Setting>().expect(text).to_string(), expected);
        }
    }

    #[test]
    fn what_sets_no_limit_says_the_mend() {
        for (text, mend) in [
            ("guest-time", "should be NAME=VALUE"),
            (
                "gest-time=2s",
                "there is no limit \"gest-time\": the limits are guest-time, memory",
            ),
            ("guest-time=2", "such as 500ms, 2s or 1m"),
            ("guest-time=fast", "such as 500ms"),
            ("memory=128 parsecs", "such as 512KiB or 64MiB"),
            ("memory=-1MiB", "such as 512KiB"),
            ("modules=many", "a whole number"),
            ("modules=-1", "a whole number"),
            ("modules=1.5", "a whole number"),
            (
                "guest-time=0s",
                "can't be 0s: it must be between 1ms and 1h",
            ),
            ("memory=0", "between 16 MiB and 4 GiB"),
            ("memory=5GiB", "can't be 5GiB: it must be between"),
            ("modules=0", "between 1 and 1000000"),
            ("instances=100000", "between 1 and 1000"),
            ("compile-time=10ms", "between 1s and 1h"),
        ] {
            let message = message(text);
            assert!(message.contains(mend), "{text}: {message}");
        }
    }

    #[test]
    fn each_name_sets_its_own_limit() {
        let defaults = ToolLimits::default();
        for limit in &LIMITS {
            let was = (limit.get)(&defaults);
            assert!(limit.range.contains(&was), "{}: its default", limit.name);
            for value in [*limit.range.start(), *limit.range.end()] {
                let mut limits = ToolLimits::default();
                limits.apply(&[Setting { limit, value }]);
                assert_eq!((limit.get)(&limits), value, "{}", limit.name);
                let untouched = |other: &&Limit| (other.get)(&limits) == (other.get)(&defaults);
                assert_eq!(
                    LIMITS.iter().filter(untouched).count(),
                    LIMITS.len() - usize::from(value != was),
                    "{} sets no other",
                    limit.name
                );
            }
        }
    }

    #[test]
    fn one_name_for_the_size_of_wasm_tools() {
        let mut limits = ToolLimits::default();
        limits.apply(&settings("component=1MiB").expect("a setting"));
        assert_eq!(limits.load.component_bytes, MIB);
        assert_eq!(limits.sandbox.component_bytes as u64, MIB);
    }

    #[test]
    fn a_list_is_read_in_order() {
        let mut limits = ToolLimits::default();
        limits.apply(&settings("modules=5, lookups=7,,modules=6,").expect("settings"));
        assert_eq!((limits.load.modules, limits.load.lookups), (6, 7));
    }

    #[test]
    fn another_process_can_be_given_the_same() {
        let mut limits = ToolLimits::default();
        limits.apply(&settings("memory=100MiB,guest-time=2s,instances=3").expect("settings"));
        let mut copy = ToolLimits::default();
        copy.apply(&settings(&limits.as_argument()).expect("our own argument"));
        assert_eq!(copy.as_argument(), limits.as_argument());
        assert_eq!(copy.sandbox.memory_bytes as u64, 100 * MIB);
    }
}

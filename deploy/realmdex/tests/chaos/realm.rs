//! Two realms, made from a seed: `https://a.realm.test/`, whose skills use tools of both, and `https://b.realm.test/`.

use fastrand::Rng;

use crate::texts::{self, Declared, specifier, without_extension};
use crate::tree::{FileOp, Part, Tree};

pub const A: usize = 0;
pub const B: usize = 1;
pub const URLS: [&str; 2] = ["https://a.realm.test/", "https://b.realm.test/"];

/// How large the realms are, together.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub files: usize,
    pub skills: usize,
}

/// What the second realm has for each of the first's.
const SHARES: [(usize, usize); 2] = [(7, 10), (3, 10)];

/// Parts of names; the two é are not the same.
const FOLDERS: [&str; 10] = [
    "north",
    "south",
    "über uns",
    "日本語",
    "cafe\u{301}",
    "caf\u{e9}",
    "with space",
    "UPPER",
    "emoji-🌱",
    "dotted.name",
];
const PLAIN: [&str; 12] = [
    "notes.md",
    "list.csv",
    "card.json",
    "100%.txt",
    "what?.md",
    "a#b.md",
    "semi;colon,comma.md",
    "it's \"it\".txt",
    ".hidden",
    "no-extension",
    "UPPER.MD",
    "trace.log",
];
/// Rules of a `.gitignore` that hide something here and there.
const RULES: [&str; 12] = [
    "*.log",
    "!keep.log",
    "/notes/south/",
    "*.csv",
    "lib/g3/",
    "/tools/g1/*",
    "!t1*.js",
    "base/**/b1.js",
    "SKILL-*.md",
    "skills/*/s*7/",
    "# nothing",
    "card?.*",
];

/// Both realms.
pub struct World {
    pub realms: [Tree; 2],
    /// Paths that something refers to, and nothing is at.
    pub wanted: Vec<(usize, String)>,
    /// Paths of files that are gone.
    pub gone: Vec<(usize, String)>,
    made: usize,
}

impl World {
    pub fn new(size: Size, rng: &mut Rng) -> Self {
        let mut world = Self {
            realms: URLS.map(Tree::new),
            wanted: Vec::new(),
            gone: Vec::new(),
            made: 0,
        };
        for realm in [B, A] {
            let (part, whole) = SHARES[realm];
            let [files, skills] = [size.files, size.skills].map(|number| number * part / whole);
            for _ in 0..files / 40 {
                world.add(realm, Part::Base, rng);
            }
            for _ in 0..files / 25 {
                world.add(realm, Part::Lib, rng);
            }
            for _ in 0..files / 20 {
                world.add(realm, Part::Tool, rng);
            }
            for _ in 0..skills {
                world.add(realm, Part::Skill, rng);
            }
            for folder in ["", "notes/", "lib/"] {
                let path = format!("{folder}.gitignore");
                world.rewrite(realm, &path, rng);
            }
            while world.realms[realm].len() < files {
                world.add(realm, Part::Plain, rng);
            }
        }
        world
    }

    /// A file that is not there yet.
    pub fn add(&mut self, realm: usize, part: Part, rng: &mut Rng) -> FileOp {
        let path = self.free_path(part, rng);
        self.rewrite(realm, &path, rng)
    }

    /// Something else where a file is, or a first text where none is.
    pub fn rewrite(&mut self, realm: usize, path: &str, rng: &mut Rng) -> FileOp {
        let text = match Part::of(path) {
            Part::Skill => self.skill(realm, path, rng),
            Part::Rules => rules(rng),
            Part::Plain => texts::plain(path, rng),
            _ if rng.u8(..20) == 0 => texts::broken_module(rng),
            Part::Base => texts::base(rng),
            Part::Lib => self.lib(realm, path, rng),
            Part::Tool => self.tool(realm, path, rng),
        };
        let at_once = rng.bool();
        self.realms[realm].write(path, text, at_once)
    }

    /// A module that can't be used any more.
    pub fn break_module(&mut self, realm: usize, path: &str, rng: &mut Rng) -> FileOp {
        let text = texts::broken_module(rng);
        self.realms[realm].write(path, text, true)
    }

    /// A path that nothing was ever at.
    pub fn free_path(&mut self, part: Part, rng: &mut Rng) -> String {
        self.made += 1;
        let number = self.made;
        let group = rng.u8(..8);
        match part {
            Part::Base => format!("base/g{group}/b{number}.js"),
            Part::Lib if rng.u8(..5) == 0 => format!("lib/g{group}/card{number}.ts"),
            Part::Lib => format!("lib/g{group}/l{number}.{}", script(rng)),
            Part::Tool if rng.u8(..10) == 0 => {
                format!("tools/{}/t{number}.{}", folder(rng), script(rng))
            }
            Part::Tool => format!("tools/g{group}/t{number}.{}", script(rng)),
            Part::Skill => format!("skills/{}/s{number}/SKILL.md", folder(rng)),
            Part::Rules => format!("notes/{}-{number}/.gitignore", folder(rng)),
            Part::Plain => {
                let name = PLAIN[rng.usize(..PLAIN.len())];
                match rng.u8(..4) {
                    0 => format!("notes/{}/{number}-{name}", folder(rng)),
                    1 => format!("notes/{}/deep/{}/{number}{name}", folder(rng), folder(rng)),
                    2 => format!("skills/{}/s{number}-{name}", folder(rng)),
                    _ => format!("{number} {name}"),
                }
            }
        }
    }

    /// A free name for a folder beside another.
    pub fn free_folder(&mut self, beside: &str) -> String {
        self.made += 1;
        let parent = beside.rfind('/').map_or("", |slash| &beside[..=slash]);
        format!("{parent}moved-{}", self.made)
    }

    fn lib(&self, realm: usize, path: &str, rng: &mut Rng) -> String {
        let mut imports: Vec<String> = (0..rng.usize(1..4))
            .filter_map(|_| self.import(realm, path, Part::Base, rng))
            .collect();
        imports.dedup();
        texts::lib(&imports, is_card(path), rng)
    }

    fn tool(&self, realm: usize, path: &str, rng: &mut Rng) -> String {
        let is_typed = path.ends_with("ts");
        if is_typed && rng.u8(..3) == 0 {
            let mut cards = self.realms[realm].paths(Part::Lib);
            cards.retain(|path| is_card(path));
            if let Some(card) = rng.choice(cards) {
                return texts::card_tool(&specifier(path, &card, rng), rng);
            }
        }
        let imports: Vec<String> = (0..rng.usize(..3))
            .filter_map(|_| self.import(realm, path, Part::Lib, rng))
            .collect();
        texts::tool(&imports, is_typed, rng)
    }

    fn skill(&mut self, realm: usize, path: &str, rng: &mut Rng) -> String {
        let name = path.rsplit('/').nth(1).unwrap_or("root").to_owned();
        let mut tools = Vec::new();
        for _ in 0..rng.usize(..5) {
            let Some(module) = self.tool_module(realm, path, rng) else {
                continue;
            };
            tools.push(Declared {
                module,
                name: ["default", "default", "default", "other", "missing"][rng.usize(..5)],
                requires_approval: [None, Some(true), Some(false)][rng.usize(..3)],
            });
        }
        match tools.first() {
            Some(tool) if rng.u8(..12) == 0 => texts::broken_skill(&name, &tool.module, rng),
            _ => texts::skill(&name, &tools, rng),
        }
    }

    fn tool_module(&mut self, realm: usize, from: &str, rng: &mut Rng) -> Option<String> {
        match rng.u8(..20) {
            0 => {
                let path = self.free_path(Part::Tool, rng);
                self.wanted.push((realm, path.clone()));
                Some(specifier(from, &path, rng))
            }
            1 => Some("https://nowhere.realm.test/tools/none".to_owned()),
            2..8 if realm == A => {
                let path = self.realms[B].pick(Part::Tool, rng)?;
                Some(format!("{}{}", URLS[B], without_extension(&path)))
            }
            _ => self.import(realm, from, Part::Tool, rng),
        }
    }

    /// How a file of a realm refers to some module, of the other realm now and then.
    fn import(&self, realm: usize, from: &str, part: Part, rng: &mut Rng) -> Option<String> {
        if realm == A && rng.u8(..5) == 0 {
            let path = self.realms[B].pick(part, rng)?;
            return Some(format!("{}{path}", URLS[B]));
        }
        let path = self.realms[realm].pick(part, rng)?;
        Some(specifier(from, &path, rng))
    }
}

fn is_card(path: &str) -> bool {
    path.rsplit('/')
        .next()
        .is_some_and(|name| name.starts_with("card"))
}

fn folder(rng: &mut Rng) -> &'static str {
    FOLDERS[rng.usize(..FOLDERS.len())]
}

fn script(rng: &mut Rng) -> &'static str {
    ["js", "js", "js", "ts", "ts", "mjs", "gts"][rng.usize(..7)]
}

fn rules(rng: &mut Rng) -> String {
    let lines = RULES.iter().filter(|_| rng.u8(..4) == 0);
    lines.map(|line| format!("{line}\n")).collect()
}

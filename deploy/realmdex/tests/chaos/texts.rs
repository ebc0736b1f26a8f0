//! What files of a made realm say: modules in three layers, skills that declare tools, and everything that goes wrong
//! with them.

use fastrand::Rng;
use serde_json::json;

/// A text in quotes, as JavaScript and YAML both read it.
fn quoted(text: &str) -> String {
    json!(text).to_string()
}

fn word(rng: &mut Rng) -> String {
    const WORDS: [&str; 12] = [
        "calm", "brisk", "größer", "tiny", "日本", "late", "even", "naïve", "bold", "plain", "odd",
        "🌱",
    ];
    format!("{} {}", WORDS[rng.usize(..WORDS.len())], rng.u16(..))
}

/// How a module refers to another: relative to the file that does, or by its URL; with its extension or without.
pub fn specifier(from: &str, to: &str, rng: &mut Rng) -> String {
    let to = if rng.u8(..10) < 6 {
        without_extension(to)
    } else {
        to
    };
    relative(from, to)
}

pub fn without_extension(path: &str) -> &str {
    let name_at = path.rfind('/').map_or(0, |slash| slash + 1);
    match path[name_at..].rfind('.') {
        Some(dot) if dot > 0 => &path[..name_at + dot],
        _ => path,
    }
}

/// A path as the file at `from` refers to it.
fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let shared = from
        .iter()
        .zip(&to)
        .take_while(|(one, other)| one == other)
        .count()
        .min(from.len() - 1)
        .min(to.len() - 1);
    let up = from.len() - 1 - shared;
    let start = if up == 0 {
        "./".to_owned()
    } else {
        "../".repeat(up)
    };
    start + &to[shared..].join("/")
}

/// A module of the lowest layer: what it exports is in the descriptions of every tool above it.
pub fn base(rng: &mut Rng) -> String {
    format!(
        "export const word = {};\nexport const size = {};\n",
        quoted(&word(rng)),
        rng.u16(1..1000)
    )
}

/// A module of the middle layer, above some of the lowest. One that `has_card` is of TypeScript.
pub fn lib(imports: &[String], has_card: bool, rng: &mut Rng) -> String {
    let mut text = String::new();
    for (number, import) in imports.iter().enumerate() {
        text += &format!(
            "import {{ word as word{number}, size as size{number} }} from {};\n",
            quoted(import)
        );
    }
    let words: Vec<String> = (0..imports.len()).map(|one| format!("word{one}")).collect();
    let own = quoted(&word(rng));
    let (words, size) = if words.is_empty() {
        (own, "1".to_owned())
    } else {
        (format!("{own}, {}", words.join(", ")), "size0".to_owned())
    };
    text +=
        &format!("export const phrase = [{words}].join(' and ');\nexport const size = {size};\n");
    if has_card {
        text.insert_str(
            0,
            "import { CardDef, FieldDef, StringField, contains, containsMany, field } from '@cardstack/base/card-api';\nimport NumberField from '@cardstack/base/number';\n",
        );
        text += "class Part extends FieldDef {\n  @field name = contains(StringField, { description: phrase });\n  @field count = contains(NumberField);\n}\n";
        text += "export class Thing extends CardDef {\n  @field title = contains(StringField);\n  @field parts = containsMany(Part);\n}\n";
    }
    text
}

/// A tool module above some of the middle layer. It exports `default` and `other`.
pub fn tool(imports: &[String], is_typed: bool, rng: &mut Rng) -> String {
    let mut text = String::new();
    for (number, import) in imports.iter().enumerate() {
        text += &format!(
            "import {{ phrase as phrase{number}, size as size{number} }} from {};\n",
            quoted(import)
        );
    }
    let own = word(rng);
    let said: String = (0..imports.len())
        .map(|one| format!(" ${{phrase{one}}}"))
        .collect();
    let largest = if imports.is_empty() { "7" } else { "size0" };
    let (any, is_const) = if is_typed {
        (": Record<string, unknown>", " as const")
    } else {
        ("", "")
    };
    text += &format!(
        "const properties{any} = {{ amount: {{ type: 'number', maximum: {largest} }}, text: {{ type: 'string' }} }};\n"
    );
    text += &format!(
        "export default {{ description: `Does {own}{said}`, inputSchema: {{ type: 'object', properties, required: ['amount'] }}, run: () => 1 }}{is_const};\n"
    );
    text += &format!(
        "export const other = {{ description: {}, inputSchema: {{ type: 'object', properties: {{}} }}, run: () => 2 }};\n",
        quoted(&format!("Another {own}"))
    );
    text
}

/// A tool as a class whose input is a card of the middle layer.
pub fn card_tool(import: &str, rng: &mut Rng) -> String {
    format!(
        "import {{ Tool }} from '@cardstack/runtime-common';
import {{ CardDef, StringField, contains, field, linksTo }} from '@cardstack/base/card-api';
import {{ Thing, phrase }} from {import};

class Input extends CardDef {{
  @field thing = linksTo(() => Thing);
  @field note = contains(StringField, {{ description: phrase }});
}}

export default class MakeThing extends Tool<typeof Input> {{
  static actionVerb = 'Make';
  description = {description};
  async getInputType() {{
    return Input;
  }}
  protected async run(input: Input): Promise<undefined> {{
    console.log(`would make ${{input.note}}`);
  }}
}}
export const other = {{ description: 'Not a card', inputSchema: {{ type: 'object' }}, run: () => 3 }};
",
        import = quoted(import),
        description = quoted(&word(rng)),
    )
}

/// A module that can't be loaded, or exports something else than is asked of it.
pub fn broken_module(rng: &mut Rng) -> String {
    let tag = rng.u16(..);
    match rng.u8(..6) {
        0 => format!("export const word = ; // {tag}\n"),
        1 => format!("throw new Error('broken on purpose {tag}');\nexport const word = 1;\n"),
        2 => format!("export const nothingOfUse = {tag};\n"),
        3 => format!(
            "import {{ word }} from './not-there-{tag}.js';\nexport {{ word }};\nexport default word;\n"
        ),
        4 => format!("export default {{ description: {tag}, inputSchema: 'none', run: 5 }};\n"),
        _ => format!("export const phrase = undefined.length; // {tag}\n"),
    }
}

/// What a skill's frontmatter says of one tool.
pub struct Declared {
    /// The module.
    pub module: String,
    /// The export.
    pub name: &'static str,
    /// What is said of approval, if anything is.
    pub requires_approval: Option<bool>,
}

pub fn skill(name: &str, tools: &[Declared], rng: &mut Rng) -> String {
    let mut text = format!(
        "---\nname: {}\ndescription: {}\nboxel:\n  kind: skill\n",
        quoted(name),
        quoted(&format!("Knows about {}. Use it often.", word(rng)))
    );
    if !tools.is_empty() {
        text += if rng.u8(..8) == 0 {
            "  commands:\n"
        } else {
            "  tools:\n"
        };
    }
    for tool in tools {
        text += &format!(
            "    - codeRef: {{ module: {}, name: {} }}\n",
            quoted(&tool.module),
            tool.name
        );
        if let Some(requires) = tool.requires_approval {
            text += &format!("      requiresApproval: {requires}\n");
        }
    }
    text += &format!("---\n\n# About {name}\n\n{}", page(rng));
    text
}

/// A skill whose frontmatter is wrong.
pub fn broken_skill(name: &str, module: &str, rng: &mut Rng) -> String {
    let (name, module, tag) = (quoted(name), quoted(module), rng.u16(..));
    match rng.u8(..5) {
        0 => format!("---\nname: [{name}\nboxel:\n  kind: skill\n---\nText {tag}\n"),
        1 => format!(
            "---\nname: {name}\ndescription: d\nboxel:\n  kind: skill\n  tools: {tag}\n---\nText\n"
        ),
        2 => format!(
            "---\nname: {name}\ndescription: d\nboxel:\n  kind: skill\n  tools:\n    - codeRef: {{ module: {module} }}\n    - {tag}\n    - codeRef: {{ module: {module}, name: default }}\n      definition: smuggled\n---\nText\n"
        ),
        3 => format!("---\nname: {name}\n  description: too deep\n---\nText {tag}\n"),
        _ => format!("---\nboxel:\n  kind: skill\nNever ended {tag}\n"),
    }
}

/// Some markdown.
pub fn page(rng: &mut Rng) -> String {
    let mut text = String::new();
    for _ in 0..rng.usize(1..6) {
        text += &match rng.u8(..5) {
            0 => format!("## {}\n\n", word(rng)),
            1 => format!(
                "See [{}](../{}.md) and [elsewhere](https://example.com/).\n\n",
                word(rng),
                rng.u8(..)
            ),
            2 => format!("- {}\n- **{}**\n\n", word(rng), word(rng)),
            3 => format!("```js\nconst x = {};\n```\n\n", rng.u16(..)),
            _ => format!(
                "A line about {}, {} and {}.\n\n",
                word(rng),
                word(rng),
                word(rng)
            ),
        };
    }
    text
}

/// Something that is no module, by its name's extension.
pub fn plain(path: &str, rng: &mut Rng) -> String {
    match path.rsplit('.').next() {
        Some("md") => match rng.u8(..4) {
            0 => format!("---\ntitle: {}\n---\n{}", quoted(&word(rng)), page(rng)),
            _ => format!("# {}\n\n{}", word(rng), page(rng)),
        },
        Some("json") => {
            json!({ "data": { "type": "card", "attributes": { "word": word(rng) } } }).to_string()
        }
        Some("csv") => format!("a,b\n{},{}\n", rng.u16(..), word(rng)),
        _ => format!("{}\n", word(rng)).repeat(rng.usize(..5)),
    }
}

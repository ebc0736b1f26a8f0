//! Who has the index that a place lies in, where nobody says which is meant.

use anyhow::Context;

use super::running::{self, Holder, Missing};
use crate::folders;
use crate::realm_place::{AskedPlace, index_above, lies_in};

/// A `realmdex up` that has the realm, or else the embedded index that lies nearest above the place.
pub(super) async fn holder_of(asked: &AskedPlace) -> anyhow::Result<Holder> {
    let AskedPlace { given, location } = asked;
    let holds = |source: &str, url: &str| lies_in(location, source, url);
    let up = running::that_holds(|realm| holds(&realm.source, realm.url.as_str())).await?;
    if let Some(operator) = up {
        return Ok(Holder::Up(operator));
    }
    let fleet = || {
        let folder = folders::indexes().ok()?.join(running::FLEET);
        running::has_index(&folder).then_some(folder)
    };
    let folder = index_above(location)?.or_else(fleet).with_context(|| {
        format!(
            "{given} is in no indexed realm: run `realmdex index` on the realm's folder or URL first, or say where its index \
             is with --server, --database or --data"
        )
    })?;
    running::holder(&folder, Missing::IsAnError).await
}

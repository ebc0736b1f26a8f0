//! The findings of computed files.

use sqlx::{Postgres, Transaction};

use super::ComputedRow;
use crate::{FileId, StoreError, sanitise};

pub(super) async fn replace_findings(
    transaction: &mut Transaction<'_, Postgres>,
    computed: &[(FileId, &ComputedRow)],
    gone: &[FileId],
) -> Result<(), StoreError> {
    let files: Vec<i64> = computed
        .iter()
        .map(|(file, _)| file.0)
        .chain(gone.iter().map(|file| file.0))
        .collect();
    sqlx::query!("delete from findings where file_id = any($1)", &files)
        .execute(&mut **transaction)
        .await?;
    let (mut ids, mut ordinals, mut kinds, mut messages) = (vec![], vec![], vec![], vec![]);
    let (mut lines, mut columns, mut modules, mut names, mut transient) =
        (vec![], vec![], vec![], vec![], vec![]);
    let counted =
        |number: Option<usize>| number.map(|number| i32::try_from(number).unwrap_or(i32::MAX));
    for (file, row) in computed {
        for (ordinal, finding) in (0_i32..).zip(&row.findings) {
            ids.push(file.0);
            ordinals.push(ordinal);
            kinds.push(finding.kind.as_str().to_owned());
            messages.push(sanitise::message(&finding.message));
            lines.push(counted(finding.line));
            columns.push(counted(finding.column));
            modules.push(
                finding
                    .tool
                    .as_ref()
                    .map(|tool| sanitise::message(&tool.module)),
            );
            names.push(
                finding
                    .tool
                    .as_ref()
                    .map(|tool| sanitise::message(&tool.name)),
            );
            transient.push(finding.transient);
        }
    }
    if ids.is_empty() {
        return Ok(());
    }
    sqlx::query!(
        "insert into findings (file_id, ordinal, kind, message, line, col, module, name, transient)
         select * from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[], $5::integer[], $6::integer[],
                              $7::text[], $8::text[], $9::boolean[])",
        &ids,
        &ordinals,
        &kinds,
        &messages,
        &lines as &[Option<i32>],
        &columns as &[Option<i32>],
        &modules as &[Option<String>],
        &names as &[Option<String>],
        &transient
    )
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

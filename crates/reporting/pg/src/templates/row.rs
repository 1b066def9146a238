//! The row of a template.

use diesel::prelude::{AsChangeset, Insertable, Queryable, QueryableByName, Selectable};
use pharos_domain::{
    identity::Identity,
    ids::{CredentialId, DomainId, ReportTemplateId, UserId},
    runs::Requester,
    store::StoreError,
};
use pharos_persistence::{
    json::{Json, written},
    names,
};
use pharos_reporting::template::{Template, TemplateSettings};
use serde_json::Value;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::schema::report_templates;

/// The columns of the settings.
#[derive(Insertable, AsChangeset)]
#[diesel(table_name = report_templates, treat_none_as_null = true)]
pub(crate) struct SettingsRow {
    name: String,
    name_key: String,
    description: Option<String>,
    sections: Json<Value>,
    locale: String,
    format: String,
    default_period: String,
    compare_previous: bool,
    branding: Json<Value>,
    schedule: Option<Json<Value>>,
    next_run_at: Option<OffsetDateTime>,
    requester_kind: String,
    credential_id: Uuid,
    updated_at: OffsetDateTime,
}

impl SettingsRow {
    /// The settings as somebody chose them: the schedule counts from now on.
    pub(super) fn new(
        settings: &TemplateSettings,
        by: &Identity,
        now: OffsetDateTime,
    ) -> Result<Self, StoreError> {
        let TemplateSettings {
            name,
            description,
            sections,
            locale,
            format,
            default_period,
            compare_previous,
            branding,
            schedule,
        } = settings;
        Ok(Self {
            name: name.clone(),
            name_key: settings.name_key(),
            description: description.clone(),
            sections: Json::of(written(sections)?),
            locale: locale.to_string(),
            format: format.to_string(),
            default_period: default_period.to_string(),
            compare_previous: *compare_previous,
            branding: Json::of(written(branding)?),
            schedule: schedule
                .as_ref()
                .map(|schedule| Ok::<_, StoreError>(Json::of(written(schedule)?)))
                .transpose()?,
            next_run_at: schedule.as_ref().and_then(|schedule| schedule.next_after(now)),
            requester_kind: by.kind.to_string(),
            credential_id: by.credential_id.0,
            updated_at: now,
        })
    }

    /// The same, due when it was due before: nobody loses a report that is due by changing something else than its schedule.
    pub(super) fn due_as_before(self, at: Option<OffsetDateTime>) -> Self {
        Self {
            next_run_at: at.or(self.next_run_at),
            ..self
        }
    }
}

/// A template as it is stored.
#[derive(Debug, Queryable, QueryableByName, Selectable)]
#[diesel(table_name = report_templates)]
#[diesel(check_for_backend(diesel::pg::Pg))]
pub(crate) struct TemplateRow {
    pub(crate) id: Uuid,
    pub(crate) domain_id: Uuid,
    pub(crate) workspace_id: Uuid,
    name: String,
    description: Option<String>,
    sections: Json<pharos_reporting::stored::StoredSections>,
    locale: String,
    format: String,
    default_period: String,
    compare_previous: bool,
    branding: Json<pharos_reporting::stored::StoredBranding>,
    schedule: Option<Json<pharos_reporting::schedule::Schedule>>,
    requester_kind: String,
    credential_id: Uuid,
    last_run_at: Option<OffsetDateTime>,
    created_by: Option<Uuid>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    recipients_count: i32,
}

impl TemplateRow {
    /// Who chose the settings last.
    pub(crate) fn requester(&self) -> Result<Requester, StoreError> {
        Ok(Requester {
            kind: self.requester_kind.parse()?,
            credential_id: CredentialId(self.credential_id),
        })
    }
}

impl TryFrom<TemplateRow> for Template {
    type Error = StoreError;

    fn try_from(row: TemplateRow) -> Result<Self, StoreError> {
        let schedule = row
            .schedule
            .map(|schedule| schedule.read("the schedule of a report"));
        Ok(Self {
            id: ReportTemplateId(row.id),
            domain_id: DomainId(row.domain_id),
            settings: TemplateSettings {
                name: row.name,
                description: row.description,
                sections: row.sections.read("the sections of a report")?.into(),
                locale: row.locale.parse()?,
                format: row.format.parse()?,
                default_period: row.default_period.parse()?,
                compare_previous: row.compare_previous,
                branding: row.branding.read("the branding of a report")?.into(),
                schedule: schedule.transpose()?,
            },
            recipients: names::count(row.recipients_count)?,
            last_run_at: row.last_run_at,
            created_by: row.created_by.map(UserId),
            created_at: row.created_at,
            updated_at: row.updated_at,
        })
    }
}

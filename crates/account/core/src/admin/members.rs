//! Members.

use async_trait::async_trait;
use pharos_domain::{
    audit::Actor,
    ids::{UserId, WorkspaceId},
    patch::Patch,
    role::Role,
    store::StoreError,
};
use serde::Serialize;
use time::OffsetDateTime;

use super::AdminError;

/// A user in a workspace.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
    /// The workspace that they belong to.
    pub workspace_id: WorkspaceId,
    /// The user behind the membership.
    pub user_id: UserId,
    /// The user's e-mail address.
    pub email: String,
    /// Their role, which says what they may do there.
    pub role: Role,
    /// How many of the workspace's credits their credentials may use in a cycle, all together; `None`: no cap.
    pub credit_cap: Option<i64>,
    /// When they joined.
    #[serde(with = "time::serde::rfc3339")]
    pub created_at: OffsetDateTime,
}

/// Changes members. A workspace keeps at least one owner.
#[async_trait]
pub trait MemberAdmin: Send + Sync {
    /// Adds a user to a workspace, or changes their role and cap in it. A cap is 0 or more.
    async fn put(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        role: Role,
        credit_cap: Patch<i64>,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<Member, AdminError>;

    /// Makes a member an owner, and the owner who hands over an admin: both, or neither.
    async fn hand_over(
        &self,
        workspace: WorkspaceId,
        owner: UserId,
        next: UserId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), AdminError>;

    /// Takes a user out of a workspace. Their keys in it stop working.
    async fn remove(
        &self,
        workspace: WorkspaceId,
        user: UserId,
        actor: &Actor,
        now: OffsetDateTime,
    ) -> Result<(), AdminError>;

    /// The members of a workspace, the oldest first.
    async fn list(&self, workspace: WorkspaceId) -> Result<Vec<Member>, StoreError>;
}

/// Checks a cap before it is stored.
///
/// # Errors
/// [`AdminError::Invalid`].
pub fn check_cap(cap: &Patch<i64>) -> Result<(), AdminError> {
    if matches!(cap, Patch::Set(credits) if *credits < 0) {
        return Err(AdminError::Invalid("a cap on credits is 0 or more".to_owned()));
    }
    Ok(())
}

/// Whether somebody of the role `by` may make somebody who is `before` somebody who is `after`; `None`: no member. Who looks
/// after members makes nobody more than they are themselves, and touches nobody who is.
#[must_use]
pub fn may_change(by: Role, before: Option<Role>, after: Option<Role>) -> bool {
    by >= Role::Admin && before.is_none_or(|role| role <= by) && after.is_none_or(|role| role <= by)
}

/// Whether somebody may become a member of this `role`, beside the `members` that there are, where the users of `makers` can
/// know their password. Whoever knows it acts as the new member, so each of these has to be a member who may do as much.
#[must_use]
pub fn may_join(makers: &[UserId], members: &[Member], role: Role) -> bool {
    makers.iter().all(|maker| {
        members
            .iter()
            .any(|member| member.user_id == *maker && member.role >= role)
    })
}

/// The power that somebody has: over workspaces, and over the installation itself.
#[derive(Clone, Copy, Debug)]
pub struct Power<'a> {
    /// Each of their workspaces, with their role in it.
    pub roles: &'a [(WorkspaceId, Role)],
    /// Whether they look after the installation itself.
    pub is_operator: bool,
}

/// Whether somebody may make a link by which `person` sets a new password. Such a link lets whoever holds it act as the
/// person, so it takes power over them in each of their workspaces: a higher role, or that of an owner. No role in a
/// workspace is power over the installation, so only operators make one for an operator.
#[must_use]
pub fn may_reset(by: Power<'_>, person: Power<'_>) -> bool {
    (by.is_operator || !person.is_operator)
        && !person.roles.is_empty()
        && person.roles.iter().all(|(workspace, theirs)| {
            let mut own = by.roles.iter().filter(|(id, _)| id == workspace);
            own.next()
                .is_some_and(|(_, role)| *role == Role::Owner || (*role == Role::Admin && role > theirs))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_made_more_than_who_makes_them() {
        assert!(may_change(Role::Admin, None, Some(Role::Admin)));
        assert!(may_change(Role::Admin, Some(Role::Admin), None));
        assert!(!may_change(Role::Admin, None, Some(Role::Owner)));
        assert!(!may_change(Role::Admin, Some(Role::Owner), Some(Role::Viewer)));
        assert!(!may_change(Role::Admin, Some(Role::Owner), None));
        assert!(may_change(Role::Owner, Some(Role::Owner), Some(Role::Viewer)));
        for role in [Role::Member, Role::Viewer] {
            assert!(!may_change(role, Some(Role::Viewer), Some(Role::Viewer)));
        }
    }

    fn user(roles: &[(WorkspaceId, Role)]) -> Power<'_> {
        Power {
            roles,
            is_operator: false,
        }
    }

    fn operator(roles: &[(WorkspaceId, Role)]) -> Power<'_> {
        Power {
            roles,
            is_operator: true,
        }
    }

    #[test]
    fn who_can_know_the_password_of_a_new_member_may_do_as_much_already() {
        let [maker, other] = [UserId::generate(), UserId::generate()];
        let member = |user_id, role| Member {
            workspace_id: WorkspaceId::generate(),
            user_id,
            email: "ada@example.org".to_owned(),
            role,
            credit_cap: None,
            created_at: OffsetDateTime::UNIX_EPOCH,
        };
        let members = [member(maker, Role::Admin)];
        assert!(may_join(&[], &[], Role::Owner));
        assert!(may_join(&[maker], &members, Role::Admin));
        assert!(!may_join(&[maker], &members, Role::Owner));
        assert!(!may_join(&[maker, other], &members, Role::Viewer));
    }

    #[test]
    fn a_password_is_reset_by_who_has_power_in_every_workspace_of_the_person() {
        let [one, other] = [WorkspaceId::generate(), WorkspaceId::generate()];
        let admin = [(one, Role::Admin)];
        assert!(may_reset(user(&admin), user(&[(one, Role::Member)])));
        assert!(!may_reset(user(&admin), user(&[(one, Role::Admin)])));
        assert!(may_reset(
            user(&[(one, Role::Owner)]),
            user(&[(one, Role::Owner)])
        ));
        assert!(!may_reset(
            user(&[(one, Role::Owner)]),
            user(&[(one, Role::Viewer), (other, Role::Viewer)])
        ));
        assert!(!may_reset(
            user(&[(one, Role::Member)]),
            user(&[(one, Role::Viewer)])
        ));
        assert!(!may_reset(user(&admin), user(&[])));
    }

    #[test]
    fn the_password_of_an_operator_is_reset_by_operators_with_power_in_their_workspaces() {
        let one = WorkspaceId::generate();
        let (owner, viewer) = ([(one, Role::Owner)], [(one, Role::Viewer)]);
        assert!(!may_reset(user(&owner), operator(&viewer)));
        assert!(may_reset(operator(&owner), operator(&viewer)));
        assert!(!may_reset(operator(&viewer), operator(&viewer)));
        assert!(!may_reset(operator(&owner), operator(&[])));
    }
}

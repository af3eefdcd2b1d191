"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "audit",
        sa.Column("number", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), autoincrement=False, nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("course", sa.Text(), nullable=True),
        sa.Column("who", sa.Text(), nullable=True),
        sa.Column("what", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("previous", sa.Text(), nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_course_number"), "audit", ["course", "number"], unique=False)
    op.create_table(
        "course",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("join_code", sa.Text(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("deleted", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_course")),
        sa.UniqueConstraint("join_code", name=op.f("uq_course_join_code")),
    )
    op.create_table(
        "guess",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_guess")),
    )
    op.create_table(
        "meta",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_meta")),
    )
    op.create_table(
        "person",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("login", sa.Text(), nullable=True),
        sa.Column("password", sa.Text(), nullable=True),
        sa.Column("teaches", sa.Boolean(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_person")),
        sa.UniqueConstraint("login", name=op.f("uq_person_login")),
    )
    op.create_table(
        "report",
        sa.Column("variant_sha256", sa.Text(), nullable=False),
        sa.Column("canonical_sha256", sa.Text(), nullable=False),
        sa.Column("program", sa.Text(), nullable=False),
        sa.Column("overrides_sha256", sa.Text(), nullable=False),
        sa.Column("readable", sa.Boolean(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.Column("out_of", sa.Text(), nullable=False),
        sa.Column("told", sa.LargeBinary(), nullable=False),
        sa.Column("questions", sa.Text(), nullable=False),
        sa.Column("review", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint(
            "variant_sha256", "canonical_sha256", "program", "overrides_sha256", name=op.f("pk_report")
        ),
    )
    op.create_table(
        "credential",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=True),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("kind in ('link', 'once', 'token')", name=op.f("ck_credential_kind")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_credential_person")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_credential")),
    )
    op.create_index(op.f("ix_credential_person"), "credential", ["person"], unique=False)
    op.create_table(
        "exercise",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("course", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("latest", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_exercise_course")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exercise")),
    )
    op.create_index(op.f("ix_exercise_course"), "exercise", ["course"], unique=False)
    op.create_table(
        "job",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("course", sa.Text(), nullable=True),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("of", sa.Integer(), nullable=False),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("lease", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state in ('waiting', 'running', 'done', 'failed', 'stopped')", name=op.f("ck_job_state")),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_job_course")),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name=op.f("fk_job_created_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_job")),
    )
    op.create_index(op.f("ix_job_state_lease"), "job", ["state", "lease"], unique=False)
    op.create_table(
        "member",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("course", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("removed", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("role in ('student', 'assistant', 'teacher')", name=op.f("ck_member_role")),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_member_course")),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_member_person")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_member")),
        sa.UniqueConstraint("course", "code", name=op.f("uq_member_course_code")),
        sa.UniqueConstraint("course", "position", name=op.f("uq_member_course_position")),
    )
    op.create_index(op.f("ix_member_person"), "member", ["person"], unique=False)
    op.create_table(
        "session",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("csrf", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("seen", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["person.id"], name=op.f("fk_session_person")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_session")),
    )
    op.create_index(op.f("ix_session_person"), "session", ["person"], unique=False)
    op.create_table(
        "version",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("exercise", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("seed", sa.Text(), nullable=True),
        sa.Column("guessable", sa.Boolean(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name=op.f("fk_version_created_by")),
        sa.ForeignKeyConstraint(["exercise"], ["exercise.id"], name=op.f("fk_version_exercise")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_version")),
        sa.UniqueConstraint("exercise", "number", name=op.f("uq_version_exercise_number")),
    )
    op.create_table(
        "assignment",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("course", sa.Text(), nullable=False),
        sa.Column("exercise", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("opens", sa.BigInteger(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=True),
        sa.Column("closes", sa.BigInteger(), nullable=True),
        sa.Column("minutes", sa.Integer(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=True),
        sa.Column("counts", sa.Text(), nullable=False),
        sa.Column("late", sa.Text(), nullable=True),
        sa.Column("variants", sa.Text(), nullable=False),
        sa.Column("feedback_before", sa.Text(), nullable=False),
        sa.Column("feedback_after", sa.Text(), nullable=False),
        sa.Column("released", sa.Boolean(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("counts in ('best', 'last')", name=op.f("ck_assignment_counts")),
        sa.CheckConstraint("variants in ('same', 'fresh')", name=op.f("ck_assignment_variants")),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_assignment_course")),
        sa.ForeignKeyConstraint(["exercise"], ["exercise.id"], name=op.f("fk_assignment_exercise")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_assignment_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
    )
    op.create_index(op.f("ix_assignment_course"), "assignment", ["course"], unique=False)
    op.create_table(
        "part",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_part_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_part")),
        sa.UniqueConstraint("version", "number", name=op.f("uq_part_version_number")),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("trial", sa.Boolean(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("variants", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("started", sa.BigInteger(), nullable=False),
        sa.Column("reopened", sa.Integer(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["assignment"], ["assignment.id"], name=op.f("fk_attempt_assignment")),
        sa.ForeignKeyConstraint(["member"], ["member.id"], name=op.f("fk_attempt_member")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_attempt_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
        sa.UniqueConstraint("assignment", "member", "number", name=op.f("uq_attempt_assignment_member_number")),
    )
    op.create_index(op.f("ix_attempt_member"), "attempt", ["member"], unique=False)
    op.create_table(
        "decision",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("given", sa.Text(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["assignment"], ["assignment.id"], name=op.f("fk_decision_assignment")),
        sa.ForeignKeyConstraint(["by"], ["person.id"], name=op.f("fk_decision_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decision")),
        sa.UniqueConstraint(
            "assignment", "question", "item", "given", name=op.f("uq_decision_assignment_question_item_given")
        ),
    )
    op.create_table(
        "extension",
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("fields", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["assignment"], ["assignment.id"], name=op.f("fk_extension_assignment")),
        sa.ForeignKeyConstraint(["by"], ["person.id"], name=op.f("fk_extension_by")),
        sa.ForeignKeyConstraint(["member"], ["member.id"], name=op.f("fk_extension_member")),
        sa.PrimaryKeyConstraint("assignment", "member", name=op.f("pk_extension")),
    )
    op.create_table(
        "override",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("item", sa.Text(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("by", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["assignment"], ["assignment.id"], name=op.f("fk_override_assignment")),
        sa.ForeignKeyConstraint(["by"], ["person.id"], name=op.f("fk_override_by")),
        sa.ForeignKeyConstraint(["member"], ["member.id"], name=op.f("fk_override_member")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_override")),
        sa.UniqueConstraint(
            "assignment", "member", "question", "item", name=op.f("uq_override_assignment_member_question_item")
        ),
    )
    op.create_table(
        "regrade",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("from_version", sa.Text(), nullable=False),
        sa.Column("to_version", sa.Text(), nullable=False),
        sa.Column("never_lower", sa.Boolean(), nullable=False),
        sa.Column("job", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("applied", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "state in ('waiting', 'running', 'ready', 'failed', 'stopped', 'applied')", name=op.f("ck_regrade_state")
        ),
        sa.ForeignKeyConstraint(["assignment"], ["assignment.id"], name=op.f("fk_regrade_assignment")),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name=op.f("fk_regrade_created_by")),
        sa.ForeignKeyConstraint(["from_version"], ["version.id"], name=op.f("fk_regrade_from_version")),
        sa.ForeignKeyConstraint(["job"], ["job.id"], name=op.f("fk_regrade_job")),
        sa.ForeignKeyConstraint(["to_version"], ["version.id"], name=op.f("fk_regrade_to_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_regrade")),
    )
    op.create_table(
        "variant",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("part", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=True),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("out_of", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["part"], ["part.id"], name=op.f("fk_variant_part")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_variant")),
        sa.UniqueConstraint("part", "number", name=op.f("uq_variant_part_number")),
    )
    op.create_index(op.f("ix_variant_sha256"), "variant", ["sha256"], unique=False)
    op.create_table(
        "draft",
        sa.Column("attempt", sa.Text(), nullable=False),
        sa.Column("answers", sa.LargeBinary(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("saved", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["attempt"], ["attempt.id"], name=op.f("fk_draft_attempt")),
        sa.PrimaryKeyConstraint("attempt", name=op.f("pk_draft")),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("attempt", sa.Text(), nullable=False),
        sa.Column("reopened", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["attempt"], ["attempt.id"], name=op.f("fk_submission_attempt")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submission")),
        sa.UniqueConstraint("attempt", "key", name=op.f("uq_submission_attempt_key")),
        sa.UniqueConstraint("attempt", "reopened", name=op.f("uq_submission_attempt_reopened")),
    )
    op.create_table(
        "grade",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("assignment", sa.Text(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("submission", sa.Text(), nullable=True),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("marks", sa.Text(), nullable=True),
        sa.Column("out_of", sa.Text(), nullable=False),
        sa.Column("late", sa.Integer(), nullable=False),
        sa.Column("overridden", sa.Boolean(), nullable=False),
        sa.Column("updated", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["assignment"], ["assignment.id"], name=op.f("fk_grade_assignment")),
        sa.ForeignKeyConstraint(["member"], ["member.id"], name=op.f("fk_grade_member")),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"], name=op.f("fk_grade_submission")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_grade_version")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_grade")),
        sa.UniqueConstraint("assignment", "member", name=op.f("uq_grade_assignment_member")),
    )
    op.create_table(
        "marking",
        sa.Column("submission", sa.Text(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("variant_sha256", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("stale", sa.Boolean(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("lease", sa.BigInteger(), nullable=False),
        sa.Column("canonical_sha256", sa.Text(), nullable=True),
        sa.Column("program", sa.Text(), nullable=True),
        sa.Column("overrides_sha256", sa.Text(), nullable=False),
        sa.Column("readable", sa.Boolean(), nullable=False),
        sa.Column("error", sa.Text(), nullable=True),
        sa.CheckConstraint("state in ('received', 'marked', 'failed')", name=op.f("ck_marking_state")),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"], name=op.f("fk_marking_submission")),
        sa.ForeignKeyConstraint(["variant"], ["variant.id"], name=op.f("fk_marking_variant")),
        sa.ForeignKeyConstraint(["version"], ["version.id"], name=op.f("fk_marking_version")),
        sa.PrimaryKeyConstraint("submission", "part", name=op.f("pk_marking")),
    )
    op.create_index(op.f("ix_marking_stale_lease"), "marking", ["stale", "lease"], unique=False)
    op.create_index(op.f("ix_marking_state_lease"), "marking", ["state", "lease"], unique=False)
    op.create_table(
        "regrade_change",
        sa.Column("regrade", sa.Text(), nullable=False),
        sa.Column("member", sa.Text(), nullable=False),
        sa.Column("submission", sa.Text(), nullable=False),
        sa.Column("before", sa.Text(), nullable=False),
        sa.Column("after", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["member"], ["member.id"], name=op.f("fk_regrade_change_member")),
        sa.ForeignKeyConstraint(["regrade"], ["regrade.id"], name=op.f("fk_regrade_change_regrade")),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"], name=op.f("fk_regrade_change_submission")),
        sa.PrimaryKeyConstraint("regrade", "member", "question", name=op.f("pk_regrade_change")),
    )
    op.create_table(
        "live",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("course", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("language", sa.Text(), nullable=False),
        sa.Column("open", sa.Boolean(), nullable=False),
        sa.Column("judged", sa.Boolean(), nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("created_by", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("ended", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["course"], ["course.id"], name=op.f("fk_live_course")),
        sa.ForeignKeyConstraint(["variant"], ["variant.id"], name=op.f("fk_live_variant")),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name=op.f("fk_live_created_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_live")),
        sa.UniqueConstraint("code", name=op.f("uq_live_code")),
    )
    op.create_index(op.f("ix_live_course"), "live", ["course"], unique=False)
    op.create_table(
        "live_answer",
        sa.Column("live", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("member", sa.Text(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["live"], ["live.id"], name=op.f("fk_live_answer_live")),
        sa.ForeignKeyConstraint(["member"], ["member.id"], name=op.f("fk_live_answer_member")),
        sa.PrimaryKeyConstraint("live", "who", name=op.f("pk_live_answer")),
    )

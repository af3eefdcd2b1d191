"""Live exercises and what was answered to them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
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

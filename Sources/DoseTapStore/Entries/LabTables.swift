import DoseTapDomain
import GRDB

/// The tables of the lab: questions, plans, and nights of a plan.
extension EntryTable {
    static let labQuestions = EntryTable(
        .labQuestion, "lab_questions", time: "created_at",
        made: Migration(
            version: 9,
            sql: """
                CREATE TABLE lab_questions(
                  id TEXT PRIMARY KEY,
                  exposure TEXT NOT NULL,
                  outcome TEXT NOT NULL,
                  nights INTEGER NOT NULL,
                  from_date TEXT NOT NULL,
                  notes TEXT,
                  created_at TEXT NOT NULL
                );
                CREATE INDEX lab_questions_time ON lab_questions(created_at);
                CREATE TABLE lab_plans(
                  id TEXT PRIMARY KEY,
                  routine TEXT NOT NULL,
                  outcome TEXT NOT NULL,
                  pairs INTEGER NOT NULL,
                  seed INTEGER NOT NULL,
                  from_date TEXT NOT NULL,
                  notes TEXT,
                  created_at TEXT NOT NULL
                );
                CREATE INDEX lab_plans_time ON lab_plans(created_at);
                CREATE TABLE lab_nights(
                  id TEXT PRIMARY KEY,
                  plan_id TEXT NOT NULL,
                  night_date TEXT NOT NULL,
                  kept TEXT NOT NULL,
                  notes TEXT,
                  created_at TEXT NOT NULL
                );
                CREATE INDEX lab_nights_time ON lab_nights(created_at);
                """),
        [
            "id": { entry, _ in entry.id.text },
            "exposure": own { (question: LabQuestion) in question.now.exposure.rawValue },
            "outcome": own { (question: LabQuestion) in question.now.outcome.rawValue },
            "nights": own { (question: LabQuestion) in question.now.nights },
            "from_date": own { (question: LabQuestion) in question.now.from.text },
            "notes": own { (question: LabQuestion) in question.now.note },
            "created_at": { entry, _ in entry.event.occurredAt.iso8601 },
        ])

    static let labPlans = EntryTable(
        .labPlan, "lab_plans", time: "created_at",
        [
            "id": { entry, _ in entry.id.text },
            "routine": own { (plan: LabPlan) in plan.now.routine.rawValue },
            "outcome": own { (plan: LabPlan) in plan.now.outcome.rawValue },
            "pairs": own { (plan: LabPlan) in plan.now.pairs },
            "seed": own { (plan: LabPlan) in plan.now.seed },
            "from_date": own { (plan: LabPlan) in plan.now.from.text },
            "notes": own { (plan: LabPlan) in plan.now.note },
            "created_at": { entry, _ in entry.event.occurredAt.iso8601 },
        ])

    static let labNights = EntryTable(
        .labNight, "lab_nights", time: "created_at",
        [
            "id": { entry, _ in entry.id.text },
            "plan_id": own { (night: EntryOf<LabAnswered>) in night.now.plan.text },
            "night_date": own { (night: EntryOf<LabAnswered>) in night.now.night.text },
            "kept": own { (night: EntryOf<LabAnswered>) in night.now.kept.rawValue },
            "notes": own { (night: EntryOf<LabAnswered>) in night.now.note },
            "created_at": { entry, _ in entry.event.occurredAt.iso8601 },
        ])
}

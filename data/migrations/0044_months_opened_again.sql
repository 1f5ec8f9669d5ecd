DROP TRIGGER `revenue_months_no_delete`;--> statement-breakpoint
-- A clock that ran ahead freezes months that have not ended: such a one goes, and the audit log keeps what it said.
CREATE TRIGGER `revenue_months_no_delete` BEFORE DELETE ON `revenue_months`
WHEN NOT EXISTS (SELECT 1 FROM `audit_entries` WHERE "targetId" = old."month" AND "action" = 'revenue.opened'
	AND json_extract("detail", '$.frozenAt') = old."frozenAt") BEGIN
	SELECT raise(ABORT, 'A month that is frozen stays as it is.');
END;

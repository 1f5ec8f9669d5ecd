DROP TRIGGER `revenue_months_no_delete`;--> statement-breakpoint
-- No row tells a clock that was ahead from one that is behind, so only an owner's order opens a month, and only one that is
-- frozen later than the present of that order. The audit log keeps what it said.
CREATE TRIGGER `revenue_months_no_delete` BEFORE DELETE ON `revenue_months`
WHEN NOT EXISTS (SELECT 1 FROM `audit_entries` WHERE "targetId" = old."month" AND "action" = 'revenue.opened'
	AND "actor" <> 'system' AND json_extract("detail", '$.frozenAt') = old."frozenAt"
	AND json_extract("detail", '$.openedAt') < old."frozenAt") BEGIN
	SELECT raise(ABORT, 'A month that is frozen stays as it is.');
END;

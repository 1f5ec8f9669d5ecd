ALTER TABLE `subscriptions` ADD `isUnrecognised` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- In one pass over the audit log, which is long and has no index for its actions.
UPDATE `subscriptions` SET "isUnrecognised" = 1 WHERE "status" NOT IN ('canceled', 'incomplete_expired')
	AND ("id", coalesce("stripePriceId", '')) IN (
		SELECT "detail" ->> 'subscription', coalesce("detail" ->> 'price', '') FROM `audit_entries`
		WHERE "action" = 'subscription.unrecognised'
	);

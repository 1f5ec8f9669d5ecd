ALTER TABLE `subscriptions` ADD `isUnrecognised` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `subscriptions` SET "isUnrecognised" = 1 WHERE "status" NOT IN ('canceled', 'incomplete_expired') AND EXISTS (
	SELECT 1 FROM `audit_entries` a WHERE a."action" = 'subscription.unrecognised'
	AND a."detail" ->> 'subscription' = `subscriptions`."id" AND a."detail" ->> 'price' IS `subscriptions`."stripePriceId"
);

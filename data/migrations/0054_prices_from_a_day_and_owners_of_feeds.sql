ALTER TABLE `call_feeds` ADD `ownerId` text REFERENCES users(id) ON DELETE cascade;--> statement-breakpoint
-- A feed is its owner's from now on. The audit log knows who saw each one's address last; one from the server's terminal is no one's.
UPDATE `call_feeds` SET "ownerId" = (
	SELECT "users"."id" FROM `audit_entries` JOIN `users` ON "audit_entries"."actor" = 'user:' || "users"."id"
	WHERE "audit_entries"."targetId" = `call_feeds`."id" AND "audit_entries"."action" IN ('calendar.feed', 'calendar.feed-renewed')
	ORDER BY "audit_entries"."at" DESC, "audit_entries"."id" DESC LIMIT 1
);--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `nextPrice` text;

ALTER TABLE `users` ADD `emailProvenAt` text;--> statement-breakpoint
-- Whoever has set a password by a mailed link has shown it. A member is their account's person, and an owner's address is in the
-- settings: nobody is logged out by this. A code by mail counts for nothing here: it left a stranger's login beside it.
UPDATE `users` SET "emailProvenAt" = coalesce(
	(SELECT min("at") FROM `audit_entries` WHERE "targetId" = `users`."id" AND "action" = 'auth.reset'),
	"membershipStartDate",
	iif("isAdmin", "createdAt", NULL)
);

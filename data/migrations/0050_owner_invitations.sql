CREATE TABLE `owner_invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`tokenHash` text NOT NULL,
	`invitedBy` text,
	`createdAt` text NOT NULL,
	`expiresAt` text NOT NULL,
	`closedAt` text,
	FOREIGN KEY (`invitedBy`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null
);
--> statement-breakpoint
CREATE UNIQUE INDEX `owner_invitations_tokenHash_unique` ON `owner_invitations` (`tokenHash`);--> statement-breakpoint
CREATE INDEX `owner_invitations_email` ON `owner_invitations` (`email`);
CREATE TABLE `member_invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`firstName` text NOT NULL,
	`lastName` text NOT NULL,
	`tierSlug` text NOT NULL,
	`freeMonths` integer DEFAULT 0 NOT NULL,
	`invitedBy` text,
	`sentAt` text NOT NULL,
	`expiresAt` text NOT NULL,
	`closedAt` text,
	FOREIGN KEY (`invitedBy`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "member_invitations_tier" CHECK("tierSlug" in ('lite', 'standard', 'xl')),
	CONSTRAINT "member_invitations_months" CHECK("freeMonths" between 0 and 12)
);
--> statement-breakpoint
CREATE INDEX `member_invitations_email` ON `member_invitations` (`email`);--> statement-breakpoint
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
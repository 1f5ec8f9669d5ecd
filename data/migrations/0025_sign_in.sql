CREATE TABLE `authenticators` (
	`userId` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`lastStep` integer DEFAULT 0 NOT NULL,
	`createdAt` text NOT NULL,
	`confirmedAt` text,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`credentialId` text NOT NULL,
	`publicKey` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`createdAt` text NOT NULL,
	`lastUsedAt` text,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credentialId_unique` ON `passkeys` (`credentialId`);--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`userId`,`createdAt`);--> statement-breakpoint
CREATE TABLE `recovery_codes` (
	`userId` text NOT NULL,
	`code` text NOT NULL,
	`createdAt` text NOT NULL,
	PRIMARY KEY(`userId`, `code`),
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sign_in_codes` (
	`id` text PRIMARY KEY NOT NULL,
	`account` text NOT NULL,
	`browser` text NOT NULL,
	`code` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`expiresAt` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sign_in_codes_browser_unique` ON `sign_in_codes` (`browser`);--> statement-breakpoint
CREATE INDEX `sign_in_codes_expires` ON `sign_in_codes` (`expiresAt`);--> statement-breakpoint
CREATE TABLE `used_challenges` (
	`challenge` text PRIMARY KEY NOT NULL,
	`expiresAt` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `used_challenges_expires` ON `used_challenges` (`expiresAt`);
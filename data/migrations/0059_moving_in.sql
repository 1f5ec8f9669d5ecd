CREATE TABLE `import_rows` (
	`importId` text NOT NULL,
	`line` integer NOT NULL,
	`keyHash` text,
	`outcome` text NOT NULL,
	`reason` text,
	`madeId` text,
	`doneAt` text,
	`undoneAt` text,
	`letters` integer DEFAULT 0 NOT NULL,
	`lastLetterAt` text,
	PRIMARY KEY(`importId`, `line`),
	FOREIGN KEY (`importId`) REFERENCES `imports`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "import_rows_outcome" CHECK("outcome" in ('new', 'existing', 'double', 'refused'))
);
--> statement-breakpoint
CREATE INDEX `import_rows_key` ON `import_rows` (`importId`,`keyHash`);--> statement-breakpoint
CREATE INDEX `import_rows_made` ON `import_rows` (`madeId`) WHERE "madeId" is not null;--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`source` text DEFAULT '' NOT NULL,
	`fileName` text,
	`fileHash` text,
	`options` text NOT NULL,
	`state` text NOT NULL,
	`problem` text,
	`columns` text NOT NULL,
	`facts` text NOT NULL,
	`startedBy` text,
	`createdAt` text NOT NULL,
	`appliedAt` text,
	`undoneAt` text,
	FOREIGN KEY (`startedBy`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE set null,
	CONSTRAINT "imports_kind" CHECK("kind" in ('members', 'posts', 'lessons', 'stripe')),
	CONSTRAINT "imports_state_known" CHECK("state" in ('planning', 'planned', 'applying', 'applied', 'undoing', 'undone', 'cancelled'))
);
--> statement-breakpoint
CREATE INDEX `imports_state` ON `imports` (`state`);--> statement-breakpoint
CREATE TABLE `mail_refusals` (
	`address` text PRIMARY KEY NOT NULL,
	`source` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `media_uploads` ADD `isImport` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `mail_agreements` ADD `source` text;--> statement-breakpoint
ALTER TABLE `users` ADD `accessTier` text;
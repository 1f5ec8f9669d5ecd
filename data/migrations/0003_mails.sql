ALTER TABLE `mail_outbox` ADD `attachment` text;--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `isRepeatable` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `mail_outbox` ADD `resentAt` text;--> statement-breakpoint
CREATE INDEX `mail_outbox_status` ON `mail_outbox` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `mail_outbox_to` ON `mail_outbox` (`to`,`id`);
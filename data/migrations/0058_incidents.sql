CREATE TABLE `incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`part` text NOT NULL,
	`startedAt` text NOT NULL,
	`endedAt` text
);
--> statement-breakpoint
CREATE INDEX `incidents_started` ON `incidents` (`startedAt`);
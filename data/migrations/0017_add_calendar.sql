CREATE TABLE `call_allowances` (
	`id` text PRIMARY KEY NOT NULL,
	`userId` text NOT NULL,
	`kind` text NOT NULL,
	`month` text NOT NULL,
	`createdAt` text NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "call_allowances_kind" CHECK("kind" in ('coaching', 'catch-up', 'consultation', 'sales'))
);
--> statement-breakpoint
CREATE INDEX `call_allowances_user` ON `call_allowances` (`userId`,`kind`,`month`);--> statement-breakpoint
CREATE TABLE `call_days` (
	`id` text PRIMARY KEY NOT NULL,
	`coach` text,
	`firstDay` text NOT NULL,
	`lastDay` text NOT NULL,
	`windows` text NOT NULL,
	`note` text,
	`createdAt` text NOT NULL,
	CONSTRAINT "call_days_order" CHECK("firstDay" <= "lastDay")
);
--> statement-breakpoint
CREATE INDEX `call_days_last` ON `call_days` (`lastDay`);--> statement-breakpoint
CREATE TABLE `call_feeds` (
	`id` text PRIMARY KEY NOT NULL,
	`coach` text,
	`tokenHash` text NOT NULL,
	`createdAt` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `call_feeds_tokenHash_unique` ON `call_feeds` (`tokenHash`);--> statement-breakpoint
CREATE TABLE `call_hours` (
	`id` text PRIMARY KEY NOT NULL,
	`coach` text NOT NULL,
	`kind` text NOT NULL,
	`weekday` text NOT NULL,
	`windows` text NOT NULL,
	`updatedAt` text NOT NULL,
	CONSTRAINT "call_hours_kind" CHECK("kind" in ('coaching', 'catch-up', 'consultation', 'sales')),
	CONSTRAINT "call_hours_weekday" CHECK("weekday" in ('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `call_hours_day` ON `call_hours` (`coach`,`kind`,`weekday`);--> statement-breakpoint
CREATE TABLE `call_rules` (
	`kind` text PRIMARY KEY NOT NULL,
	`minutes` integer NOT NULL,
	`everyMinutes` integer NOT NULL,
	`leadMinutes` integer NOT NULL,
	`bufferMinutes` integer NOT NULL,
	`horizonDays` integer NOT NULL,
	`updatedAt` text NOT NULL,
	CONSTRAINT "call_rules_kind" CHECK("kind" in ('coaching', 'catch-up', 'consultation', 'sales'))
);
--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_coaching_bookings` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`phone` text,
	`businessName` text,
	`trade` text,
	`bookingDate` text NOT NULL,
	`duration` integer DEFAULT 30 NOT NULL,
	`timeZone` text DEFAULT 'Europe/London' NOT NULL,
	`status` text DEFAULT 'scheduled' NOT NULL,
	`notes` text,
	`reminderSent` integer DEFAULT false NOT NULL,
	`salesLionBookingId` text,
	`isSpam` integer DEFAULT false NOT NULL,
	`kind` text,
	`coach` text,
	`startsAt` text,
	`endsAt` text,
	`userId` text,
	`heldUntil` text,
	`heldFrom` text,
	`moves` integer DEFAULT 0 NOT NULL,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`userId`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "coaching_bookings_status" CHECK("status" in ('scheduled', 'completed', 'cancelled', 'no-show')),
	CONSTRAINT "coaching_bookings_kind" CHECK("kind" is null or "kind" in ('coaching', 'catch-up', 'consultation', 'sales')),
	CONSTRAINT "coaching_bookings_whole" CHECK(("kind" is null) = ("startsAt" is null) and ("kind" is null) = ("coach" is null) and ("kind" is null) = ("endsAt" is null))
);
--> statement-breakpoint
INSERT INTO `__new_coaching_bookings`("id", "name", "email", "phone", "businessName", "trade", "bookingDate", "duration", "timeZone", "status", "notes", "reminderSent", "salesLionBookingId", "isSpam", "createdAt", "updatedAt") SELECT "id", "name", "email", "phone", "businessName", "trade", "bookingDate", "duration", "timeZone", "status", "notes", "reminderSent", "salesLionBookingId", "isSpam", "createdAt", "updatedAt" FROM `coaching_bookings`;--> statement-breakpoint
DROP TABLE `coaching_bookings`;--> statement-breakpoint
ALTER TABLE `__new_coaching_bookings` RENAME TO `coaching_bookings`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE INDEX `coaching_bookings_date` ON `coaching_bookings` (`bookingDate`);--> statement-breakpoint
CREATE UNIQUE INDEX `coaching_bookings_slot` ON `coaching_bookings` (`coach`,`startsAt`) WHERE "status" = 'scheduled' and "coach" is not null;--> statement-breakpoint
CREATE INDEX `coaching_bookings_starts` ON `coaching_bookings` (`startsAt`);--> statement-breakpoint
CREATE INDEX `coaching_bookings_user` ON `coaching_bookings` (`userId`);
ALTER TABLE `customers` ADD `waitsForReading` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `customers` SET "waitsForReading" = 1;

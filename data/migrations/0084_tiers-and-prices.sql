CREATE TABLE `tier_prices` (
	`id` text PRIMARY KEY NOT NULL,
	`tierSlug` text NOT NULL,
	`every` text NOT NULL,
	`net` integer NOT NULL,
	`isOffered` integer DEFAULT true NOT NULL,
	`nextPrice` text,
	`stripePriceId` text,
	`createdAt` text NOT NULL,
	`updatedAt` text NOT NULL,
	FOREIGN KEY (`tierSlug`) REFERENCES `membership_tiers`(`slug`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "tier_prices_every" CHECK("every" in ('month', 'year')),
	CONSTRAINT "tier_prices_net" CHECK("net" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tier_prices_period` ON `tier_prices` (`tierSlug`,`every`);--> statement-breakpoint
CREATE TABLE `tier_slugs` (
	`slug` text PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `video_tiers` (
	`videoId` text NOT NULL,
	`tierSlug` text NOT NULL,
	PRIMARY KEY(`videoId`, `tierSlug`),
	FOREIGN KEY (`videoId`) REFERENCES `member_videos`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tierSlug`) REFERENCES `membership_tiers`(`slug`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `video_tiers_tier` ON `video_tiers` (`tierSlug`,`videoId`);--> statement-breakpoint
CREATE TABLE `announcement_tiers` (
	`announcementId` text NOT NULL,
	`tierSlug` text NOT NULL,
	PRIMARY KEY(`announcementId`, `tierSlug`),
	FOREIGN KEY (`announcementId`) REFERENCES `announcements`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tierSlug`) REFERENCES `membership_tiers`(`slug`) ON UPDATE no action ON DELETE restrict
);
--> statement-breakpoint
CREATE TABLE `mailing_tiers` (
	`mailingId` text NOT NULL,
	`tierSlug` text NOT NULL,
	PRIMARY KEY(`mailingId`, `tierSlug`),
	FOREIGN KEY (`mailingId`) REFERENCES `mailings`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`tierSlug`) REFERENCES `membership_tiers`(`slug`) ON UPDATE no action ON DELETE restrict
);
--> statement-breakpoint
-- The month's price of a tier that was there has that tier's id, however often a backup comes in again.
INSERT INTO `tier_prices` (`id`, `tierSlug`, `every`, `net`, `isOffered`, `nextPrice`, `stripePriceId`, `createdAt`, `updatedAt`)
	SELECT `id`, `slug`, 'month', `price`, 1,
		iif(`nextPrice` IS NULL, NULL, json_object('net', json_extract(`nextPrice`, '$.price'),
			'stripePriceId', json_extract(`nextPrice`, '$.stripePriceId'), 'from', json_extract(`nextPrice`, '$.from'))),
		`stripePriceId`, `createdAt`, `updatedAt` FROM `membership_tiers`;--> statement-breakpoint
INSERT INTO `tier_slugs` (`slug`) SELECT `slug` FROM `membership_tiers`;--> statement-breakpoint
INSERT OR IGNORE INTO `video_tiers` (`videoId`, `tierSlug`)
	SELECT v.`id`, j.`value` FROM `member_videos` v, json_each(v.`tierAccess`) j WHERE j.`value` IN (SELECT `slug` FROM `membership_tiers`);--> statement-breakpoint
INSERT OR IGNORE INTO `announcement_tiers` (`announcementId`, `tierSlug`)
	SELECT a.`id`, j.`value` FROM `announcements` a, json_each(a.`tiers`) j;--> statement-breakpoint
INSERT OR IGNORE INTO `mailing_tiers` (`mailingId`, `tierSlug`)
	SELECT m.`id`, j.`value` FROM `mailings` m, json_each(m.`segment`, '$.tiers') j;--> statement-breakpoint
UPDATE `mailings` SET `segment` = json_remove(`segment`, '$.tiers');--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `callsPerMonth` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `hasWhatsApp` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `isShown` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `isDefault` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `isPreselected` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `isHighlighted` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `badge` text;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `cardColour` text DEFAULT 'paper' NOT NULL;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `rejoinsNow` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `rejoinsLater` integer DEFAULT true NOT NULL;--> statement-breakpoint
-- What the code said of these three.
UPDATE `membership_tiers` SET
	`callsPerMonth` = coalesce(`callDuration`, 0) > 0,
	`hasWhatsApp` = `slug` = 'xl',
	`isPreselected` = `slug` = 'standard',
	`isHighlighted` = `slug` = 'standard',
	`badge` = iif(`isByInvitation`, 'INVITE ONLY', iif(`slug` = 'standard', 'Most Popular', NULL)),
	`cardColour` = iif(`isByInvitation`, 'dark', iif(`slug` = 'standard', 'yellow', 'paper')),
	`rejoinsLater` = `slug` <> 'lite',
	`isDefault` = `id` = coalesce((SELECT `id` FROM `membership_tiers` WHERE `isActive` ORDER BY `slug` <> 'standard', `orderIndex` LIMIT 1), '');--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `tierPriceId` text REFERENCES `tier_prices`(`id`) ON DELETE restrict;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `nextTierPriceId` text REFERENCES `tier_prices`(`id`) ON DELETE restrict;--> statement-breakpoint
ALTER TABLE `purchase_attempts` ADD `tierPriceId` text REFERENCES `tier_prices`(`id`) ON DELETE restrict;--> statement-breakpoint
ALTER TABLE `tier_upgrades` ADD `tierPriceId` text REFERENCES `tier_prices`(`id`) ON DELETE restrict;--> statement-breakpoint
ALTER TABLE `price_moves` ADD `tierPriceId` text REFERENCES `tier_prices`(`id`) ON DELETE restrict;--> statement-breakpoint
ALTER TABLE `member_invitations` ADD `tierPriceId` text REFERENCES `tier_prices`(`id`) ON DELETE restrict;--> statement-breakpoint
-- Everything that was sold here was sold by the month. What another program sold stays without.
UPDATE `subscriptions` SET `tierPriceId` = (SELECT p.`id` FROM `tier_prices` p WHERE p.`tierSlug` = `subscriptions`.`tierSlug`)
	WHERE NOT `isUnrecognised` AND `chargeTotal` IS NULL AND `chargeMonths` = 1 AND `chargeDays` IS NULL
	AND NOT EXISTS (SELECT 1 FROM `adopted_subscriptions` a WHERE a.`id` = `subscriptions`.`id` AND a.`stripePriceId` IS `subscriptions`.`stripePriceId`);--> statement-breakpoint
UPDATE `subscriptions` SET `nextTierPriceId` = (SELECT p.`id` FROM `tier_prices` p WHERE p.`tierSlug` = `subscriptions`.`nextTierSlug`)
	WHERE `nextTierSlug` IS NOT NULL AND coalesce(json_extract(`nextTierPrice`, '$.months'), 1) = 1 AND json_extract(`nextTierPrice`, '$.days') IS NULL;--> statement-breakpoint
UPDATE `purchase_attempts` SET `tierPriceId` = (SELECT p.`id` FROM `tier_prices` p WHERE p.`tierSlug` = `purchase_attempts`.`tierSlug`);--> statement-breakpoint
UPDATE `tier_upgrades` SET `tierPriceId` = (SELECT p.`id` FROM `tier_prices` p WHERE p.`tierSlug` = `tier_upgrades`.`tierSlug`);--> statement-breakpoint
UPDATE `price_moves` SET `tierPriceId` = (SELECT p.`id` FROM `tier_prices` p WHERE p.`tierSlug` = `price_moves`.`tierSlug`);--> statement-breakpoint
UPDATE `member_invitations` SET `tierPriceId` = (SELECT p.`id` FROM `tier_prices` p WHERE p.`tierSlug` = `member_invitations`.`tierSlug`);--> statement-breakpoint
-- A CHECK goes and a foreign key comes without a row being touched: https://www.sqlite.org/lang_altertable.html, the shorter procedure.
PRAGMA writable_schema = ON;--> statement-breakpoint
UPDATE `sqlite_schema` SET `sql` = replace(replace(replace(replace(`sql`,
		',' || char(10, 9) || 'CONSTRAINT "' || `name` || '_tier" CHECK("tierSlug" in (''lite'', ''standard'', ''xl''))', ''),
		',' || char(10, 9) || 'CONSTRAINT "' || `name` || '_tier" CHECK("tierSlug" is null or "tierSlug" in (''lite'', ''standard'', ''xl''))', ''),
		',' || char(10, 9) || 'CONSTRAINT "membership_applications_tier" CHECK("selectedTier" in (''lite'', ''standard'', ''xl''))', ''),
		',' || char(10, 9) || 'CONSTRAINT "users_tier" CHECK("membershipTier" is null or "membershipTier" in (''lite'', ''standard'', ''xl''))', '')
	WHERE `type` = 'table';--> statement-breakpoint
UPDATE `sqlite_schema` SET `sql` = replace(replace(replace(replace(replace(replace(replace(`sql`,
		'`tierSlug` text', '`tierSlug` text REFERENCES `membership_tiers`(`slug`) ON DELETE ' || iif(`name` = 'commission_rates', 'cascade', 'restrict')),
		'`nextTierSlug` text', '`nextTierSlug` text REFERENCES `membership_tiers`(`slug`) ON DELETE restrict'),
		'`fromTierSlug` text', '`fromTierSlug` text REFERENCES `membership_tiers`(`slug`) ON DELETE restrict'),
		'`tierBefore` text', '`tierBefore` text REFERENCES `membership_tiers`(`slug`) ON DELETE restrict'),
		'`membershipTier` text', '`membershipTier` text REFERENCES `membership_tiers`(`slug`) ON DELETE restrict'),
		'`accessTier` text', '`accessTier` text REFERENCES `membership_tiers`(`slug`) ON DELETE restrict'),
		'`selectedTier` text DEFAULT ''standard'' NOT NULL', '`selectedTier` text REFERENCES `membership_tiers`(`slug`) ON DELETE restrict NOT NULL')
	WHERE `type` = 'table' AND `name` IN ('commission_rates', 'commission_ledger', 'subscriptions', 'adopted_subscriptions', 'purchase_attempts', 'tier_upgrades',
		'member_invitations', 'membership_applications', 'invoices', 'provider_invoices', 'revenue_changes', 'price_moves', 'users');--> statement-breakpoint
UPDATE `sqlite_schema` SET `sql` = replace(replace(`sql`,
		'CONSTRAINT "membership_tiers_slug" CHECK("slug" in (''lite'', ''standard'', ''xl''))',
		'CONSTRAINT "membership_tiers_default_offered" CHECK(not "isDefault" or ("isActive" and "isShown"))'),
		',' || char(10, 9) || 'CONSTRAINT "membership_tiers_price" CHECK("price" >= 0)', '')
	WHERE `type` = 'table' AND `name` = 'membership_tiers';--> statement-breakpoint
UPDATE `sqlite_schema` SET `sql` = replace(`sql`, ',' || char(10, 9) || 'CONSTRAINT "member_videos_tiers" CHECK(json_type("tierAccess") = ''array'')', '')
	WHERE `type` = 'table' AND `name` = 'member_videos';--> statement-breakpoint
PRAGMA writable_schema = RESET;--> statement-breakpoint
-- Refuses a schema with other words, in which nothing was replaced.
CREATE TABLE `tiers_replaced` (`left` integer CHECK(`left` = 0), `made` integer CHECK(`made` = 17));--> statement-breakpoint
INSERT INTO `tiers_replaced` SELECT
	(SELECT count(*) FROM `sqlite_schema` WHERE `sql` LIKE '%in (''lite'', ''standard'', ''xl'')%' AND `name` <> 'tiers_replaced'),
	(SELECT count(*) FROM `sqlite_schema` m, pragma_foreign_key_list(m.`name`) f WHERE m.`type` = 'table' AND f.`table` = 'membership_tiers' AND f.`to` = 'slug'
		AND m.`name` NOT IN ('tier_prices', 'video_tiers', 'announcement_tiers', 'mailing_tiers'));--> statement-breakpoint
DROP TABLE `tiers_replaced`;--> statement-breakpoint
ALTER TABLE `membership_tiers` DROP COLUMN `price`;--> statement-breakpoint
ALTER TABLE `membership_tiers` DROP COLUMN `nextPrice`;--> statement-breakpoint
ALTER TABLE `membership_tiers` DROP COLUMN `stripePriceId`;--> statement-breakpoint
ALTER TABLE `member_videos` DROP COLUMN `tierAccess`;--> statement-breakpoint
ALTER TABLE `announcements` DROP COLUMN `tiers`;--> statement-breakpoint
CREATE UNIQUE INDEX `membership_tiers_default` ON `membership_tiers` (`isDefault`) WHERE "isDefault";--> statement-breakpoint
CREATE TRIGGER `membership_tiers_slug_kept` AFTER INSERT ON `membership_tiers` BEGIN
	INSERT INTO `tier_slugs` ("slug") VALUES (new."slug");
END;--> statement-breakpoint
CREATE TRIGGER `membership_tiers_slug_set` BEFORE UPDATE OF "slug" ON `membership_tiers` WHEN new."slug" <> old."slug" BEGIN
	SELECT raise(ABORT, 'a slug is set once');
END;--> statement-breakpoint
CREATE TRIGGER `video_tiers_added` AFTER INSERT ON `video_tiers` BEGIN
	UPDATE `member_videos` SET "revision" = "revision" + 1 WHERE "id" = new."videoId";
END;--> statement-breakpoint
CREATE TRIGGER `video_tiers_removed` AFTER DELETE ON `video_tiers` BEGIN
	UPDATE `member_videos` SET "revision" = "revision" + 1 WHERE "id" = old."videoId";
END;

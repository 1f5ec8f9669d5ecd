CREATE TABLE `month_sums` (
	`month` text NOT NULL,
	`tierSlug` text NOT NULL,
	`issued` integer DEFAULT 0 NOT NULL,
	`net` integer DEFAULT 0 NOT NULL,
	`vat` integer DEFAULT 0 NOT NULL,
	`creditedNet` integer DEFAULT 0 NOT NULL,
	`creditedVat` integer DEFAULT 0 NOT NULL,
	`sinceNet` integer DEFAULT 0 NOT NULL,
	`sinceVat` integer DEFAULT 0 NOT NULL,
	`commission` integer DEFAULT 0 NOT NULL,
	`lost` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`month`, `tierSlug`)
);
--> statement-breakpoint
CREATE TABLE `movement_sums` (
	`month` text NOT NULL,
	`kind` text NOT NULL,
	`tierSlug` text NOT NULL,
	`tierBefore` text NOT NULL,
	`changes` integer DEFAULT 0 NOT NULL,
	`beforeYearly` integer DEFAULT 0 NOT NULL,
	`afterYearly` integer DEFAULT 0 NOT NULL,
	`countedBefore` integer DEFAULT 0 NOT NULL,
	`countedAfter` integer DEFAULT 0 NOT NULL,
	`historyYearly` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`month`, `kind`, `tierSlug`, `tierBefore`)
);
--> statement-breakpoint
CREATE TABLE `subscription_sums` (
	`status` text NOT NULL,
	`tierSlug` text NOT NULL,
	`isPaused` integer NOT NULL,
	`subscriptions` integer DEFAULT 0 NOT NULL,
	`yearlyNet` integer DEFAULT 0 NOT NULL,
	`paying` integer DEFAULT 0 NOT NULL,
	`nextYearlyNet` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`status`, `tierSlug`, `isPaused`)
);
--> statement-breakpoint
CREATE INDEX `invoices_created` ON `invoices` (`createdAt`,`sequence`);--> statement-breakpoint
CREATE INDEX `subscriptions_trials` ON `subscriptions` (`trialEnd`) WHERE "trialEnd" is not null;--> statement-breakpoint
-- What each table of sums is the sum of. A view, so that what fills, checks and mends them can't say otherwise. No `->>`, as older
-- shells of SQLite don't understand it. '' stands for no tier.
CREATE VIEW `last_documents` AS
SELECT
	coalesce((SELECT json_extract("figures", '$.lastInvoice') FROM `revenue_months` ORDER BY "month" DESC LIMIT 1), 0) AS "invoice",
	coalesce((SELECT json_extract("figures", '$.lastCreditNote') FROM `revenue_months` ORDER BY "month" DESC LIMIT 1), 0) AS "creditNote";--> statement-breakpoint
CREATE VIEW `documents_since` AS
SELECT "month", sum("net") AS "net", sum("vat") AS "vat" FROM (
	SELECT substr(i."taxPoint", 1, 7) AS "month", i."net" AS "net", i."vat" AS "vat"
	FROM `last_documents` l CROSS JOIN `invoices` i WHERE i."sequence" > l."invoice"
	UNION ALL
	SELECT substr(iif(n."kind" = 'refund', n."issuedOn", i."taxPoint"), 1, 7), -n."net", -n."vat"
	FROM `last_documents` l CROSS JOIN `credit_notes` n JOIN `invoices` i ON i."id" = n."invoiceId" WHERE n."sequence" > l."creditNote"
) GROUP BY 1;--> statement-breakpoint
CREATE VIEW `whole_month_sums` AS
SELECT "month", "tierSlug", sum("issued") AS "issued", sum("net") AS "net", sum("vat") AS "vat", sum("creditedNet") AS "creditedNet",
	sum("creditedVat") AS "creditedVat", sum("sinceNet") AS "sinceNet", sum("sinceVat") AS "sinceVat", sum("commission") AS "commission",
	sum("lost") AS "lost"
FROM (
	SELECT substr("taxPoint", 1, 7) AS "month", coalesce("tierSlug", '') AS "tierSlug", count(*) AS "issued", sum("net") AS "net",
		sum("vat") AS "vat", 0 AS "creditedNet", 0 AS "creditedVat", 0 AS "sinceNet", 0 AS "sinceVat", 0 AS "commission", 0 AS "lost"
	FROM `invoices` GROUP BY 1, 2
	UNION ALL
	SELECT substr(iif(n."kind" = 'refund', n."issuedOn", i."taxPoint"), 1, 7), '', 0, 0, 0, sum(n."net"), sum(n."vat"), 0, 0, 0, 0
	FROM `credit_notes` n CROSS JOIN `invoices` i WHERE i."id" = n."invoiceId" GROUP BY 1
	UNION ALL
	SELECT "month", '', 0, 0, 0, 0, 0, "net", "vat", 0, 0 FROM `documents_since`
	UNION ALL
	SELECT "month", '', 0, 0, 0, 0, 0, 0, 0, sum("amount"), 0 FROM `commission_ledger` GROUP BY 1
	UNION ALL
	SELECT "month", '', 0, 0, 0, 0, 0, 0, 0, 0, count(DISTINCT "customerId") FROM `revenue_changes`
	WHERE "kind" IN ('churn_voluntary', 'churn_failed_payment') AND "beforeYearly" > 0 GROUP BY 1
) GROUP BY 1, 2;--> statement-breakpoint
CREATE VIEW `whole_movement_sums` AS
SELECT "month", "kind", "tierSlug", coalesce("tierBefore", '') AS "tierBefore", count(*) AS "changes", sum("beforeYearly") AS "beforeYearly",
	sum("afterYearly") AS "afterYearly", sum("beforeYearly" > 0) AS "countedBefore", sum("afterYearly" > 0) AS "countedAfter",
	sum("isHistory" * ("afterYearly" - "beforeYearly")) AS "historyYearly"
FROM `revenue_changes` GROUP BY 1, 2, 3, 4;--> statement-breakpoint
CREATE VIEW `whole_subscription_sums` AS
SELECT "status", "tierSlug", "collectionPause" IS NOT NULL AS "isPaused", count(*) AS "subscriptions", sum("yearlyNet") AS "yearlyNet",
	sum("yearlyNet" > 0) AS "paying", sum(iif("isNextFree", 0, "yearlyNet")) AS "nextYearlyNet"
FROM `subscriptions` GROUP BY 1, 2, 3;--> statement-breakpoint
INSERT INTO `month_sums` ("month", "tierSlug", "issued", "net", "vat", "creditedNet", "creditedVat", "sinceNet", "sinceVat", "commission", "lost")
SELECT "month", "tierSlug", "issued", "net", "vat", "creditedNet", "creditedVat", "sinceNet", "sinceVat", "commission", "lost" FROM `whole_month_sums`;--> statement-breakpoint
INSERT INTO `movement_sums` ("month", "kind", "tierSlug", "tierBefore", "changes", "beforeYearly", "afterYearly", "countedBefore", "countedAfter", "historyYearly")
SELECT "month", "kind", "tierSlug", "tierBefore", "changes", "beforeYearly", "afterYearly", "countedBefore", "countedAfter", "historyYearly" FROM `whole_movement_sums`;--> statement-breakpoint
INSERT INTO `subscription_sums` ("status", "tierSlug", "isPaused", "subscriptions", "yearlyNet", "paying", "nextYearlyNet")
SELECT "status", "tierSlug", "isPaused", "subscriptions", "yearlyNet", "paying", "nextYearlyNet" FROM `whole_subscription_sums`;--> statement-breakpoint
CREATE TRIGGER `invoices_summed` AFTER INSERT ON `invoices` BEGIN
	INSERT INTO `month_sums` ("month", "tierSlug", "issued", "net", "vat")
	VALUES (substr(new."taxPoint", 1, 7), coalesce(new."tierSlug", ''), 1, new."net", new."vat")
	ON CONFLICT ("month", "tierSlug") DO UPDATE SET "issued" = "issued" + 1, "net" = "net" + excluded."net", "vat" = "vat" + excluded."vat";
	INSERT INTO `month_sums` ("month", "tierSlug", "sinceNet", "sinceVat")
	SELECT substr(new."taxPoint", 1, 7), '', new."net", new."vat" FROM `last_documents` WHERE new."sequence" > "invoice"
	ON CONFLICT ("month", "tierSlug") DO UPDATE SET "sinceNet" = "sinceNet" + excluded."sinceNet", "sinceVat" = "sinceVat" + excluded."sinceVat";
END;--> statement-breakpoint
CREATE TRIGGER `credit_notes_summed` AFTER INSERT ON `credit_notes` BEGIN
	INSERT INTO `month_sums` ("month", "tierSlug", "creditedNet", "creditedVat")
	SELECT substr(iif(new."kind" = 'refund', new."issuedOn", "taxPoint"), 1, 7), '', new."net", new."vat"
	FROM `invoices` WHERE "id" = new."invoiceId"
	ON CONFLICT ("month", "tierSlug") DO UPDATE
	SET "creditedNet" = "creditedNet" + excluded."creditedNet", "creditedVat" = "creditedVat" + excluded."creditedVat";
	INSERT INTO `month_sums` ("month", "tierSlug", "sinceNet", "sinceVat")
	SELECT substr(iif(new."kind" = 'refund', new."issuedOn", i."taxPoint"), 1, 7), '', -new."net", -new."vat"
	FROM `invoices` i CROSS JOIN `last_documents` l WHERE i."id" = new."invoiceId" AND new."sequence" > l."creditNote"
	ON CONFLICT ("month", "tierSlug") DO UPDATE SET "sinceNet" = "sinceNet" + excluded."sinceNet", "sinceVat" = "sinceVat" + excluded."sinceVat";
END;--> statement-breakpoint
CREATE TRIGGER `commission_ledger_summed` AFTER INSERT ON `commission_ledger` BEGIN
	INSERT INTO `month_sums` ("month", "tierSlug", "commission") VALUES (new."month", '', new."amount")
	ON CONFLICT ("month", "tierSlug") DO UPDATE SET "commission" = "commission" + excluded."commission";
END;--> statement-breakpoint
-- A month that's closed, or opened again, is where "since" begins.
CREATE TRIGGER `revenue_months_closed` AFTER INSERT ON `revenue_months` BEGIN
	UPDATE `month_sums` SET "sinceNet" = 0, "sinceVat" = 0 WHERE "sinceNet" <> 0 OR "sinceVat" <> 0;
	INSERT INTO `month_sums` ("month", "tierSlug", "sinceNet", "sinceVat") SELECT "month", '', "net", "vat" FROM `documents_since` WHERE true
	ON CONFLICT ("month", "tierSlug") DO UPDATE SET "sinceNet" = excluded."sinceNet", "sinceVat" = excluded."sinceVat";
END;--> statement-breakpoint
CREATE TRIGGER `revenue_months_opened` AFTER DELETE ON `revenue_months` BEGIN
	UPDATE `month_sums` SET "sinceNet" = 0, "sinceVat" = 0 WHERE "sinceNet" <> 0 OR "sinceVat" <> 0;
	INSERT INTO `month_sums` ("month", "tierSlug", "sinceNet", "sinceVat") SELECT "month", '', "net", "vat" FROM `documents_since` WHERE true
	ON CONFLICT ("month", "tierSlug") DO UPDATE SET "sinceNet" = excluded."sinceNet", "sinceVat" = excluded."sinceVat";
END;--> statement-breakpoint
-- Who leaves twice in a month is lost once.
CREATE TRIGGER `revenue_changes_summed` AFTER INSERT ON `revenue_changes` BEGIN
	INSERT INTO `movement_sums` VALUES (new."month", new."kind", new."tierSlug", coalesce(new."tierBefore", ''), 1, new."beforeYearly",
		new."afterYearly", new."beforeYearly" > 0, new."afterYearly" > 0, new."isHistory" * (new."afterYearly" - new."beforeYearly"))
	ON CONFLICT ("month", "kind", "tierSlug", "tierBefore") DO UPDATE SET "changes" = "changes" + 1,
		"beforeYearly" = "beforeYearly" + excluded."beforeYearly", "afterYearly" = "afterYearly" + excluded."afterYearly",
		"countedBefore" = "countedBefore" + excluded."countedBefore", "countedAfter" = "countedAfter" + excluded."countedAfter",
		"historyYearly" = "historyYearly" + excluded."historyYearly";
	INSERT INTO `month_sums` ("month", "tierSlug", "lost") SELECT new."month", '', 1
	WHERE new."kind" IN ('churn_voluntary', 'churn_failed_payment') AND new."beforeYearly" > 0 AND NOT EXISTS (
		SELECT 1 FROM `revenue_changes` WHERE "customerId" = new."customerId" AND "id" <> new."id" AND "month" = new."month"
			AND "kind" IN ('churn_voluntary', 'churn_failed_payment') AND "beforeYearly" > 0)
	ON CONFLICT ("month", "tierSlug") DO UPDATE SET "lost" = "lost" + 1;
END;--> statement-breakpoint
CREATE TRIGGER `revenue_changes_unsummed` AFTER DELETE ON `revenue_changes` BEGIN
	UPDATE `movement_sums` SET "changes" = "changes" - 1,
		"beforeYearly" = "beforeYearly" - old."beforeYearly", "afterYearly" = "afterYearly" - old."afterYearly",
		"countedBefore" = "countedBefore" - (old."beforeYearly" > 0), "countedAfter" = "countedAfter" - (old."afterYearly" > 0),
		"historyYearly" = "historyYearly" - old."isHistory" * (old."afterYearly" - old."beforeYearly")
	WHERE "month" = old."month" AND "kind" = old."kind" AND "tierSlug" = old."tierSlug" AND "tierBefore" = coalesce(old."tierBefore", '');
	UPDATE `month_sums` SET "lost" = "lost" - 1
	WHERE "month" = old."month" AND "tierSlug" = '' AND old."kind" IN ('churn_voluntary', 'churn_failed_payment')
		AND old."beforeYearly" > 0 AND NOT EXISTS (
			SELECT 1 FROM `revenue_changes` WHERE "customerId" = old."customerId" AND "month" = old."month"
				AND "kind" IN ('churn_voluntary', 'churn_failed_payment') AND "beforeYearly" > 0);
END;--> statement-breakpoint
CREATE TRIGGER `subscriptions_summed` AFTER INSERT ON `subscriptions` BEGIN
	INSERT INTO `subscription_sums` VALUES (new."status", new."tierSlug", new."collectionPause" IS NOT NULL, 1, new."yearlyNet",
		new."yearlyNet" > 0, iif(new."isNextFree", 0, new."yearlyNet"))
	ON CONFLICT ("status", "tierSlug", "isPaused") DO UPDATE SET "subscriptions" = "subscriptions" + 1,
		"yearlyNet" = "yearlyNet" + excluded."yearlyNet", "paying" = "paying" + excluded."paying",
		"nextYearlyNet" = "nextYearlyNet" + excluded."nextYearlyNet";
END;--> statement-breakpoint
CREATE TRIGGER `subscriptions_unsummed` AFTER DELETE ON `subscriptions` BEGIN
	UPDATE `subscription_sums` SET "subscriptions" = "subscriptions" - 1, "yearlyNet" = "yearlyNet" - old."yearlyNet",
		"paying" = "paying" - (old."yearlyNet" > 0), "nextYearlyNet" = "nextYearlyNet" - iif(old."isNextFree", 0, old."yearlyNet")
	WHERE "status" = old."status" AND "tierSlug" = old."tierSlug" AND "isPaused" = (old."collectionPause" IS NOT NULL);
END;--> statement-breakpoint
CREATE TRIGGER `subscriptions_resummed` AFTER UPDATE OF "status", "tierSlug", "collectionPause", "yearlyNet", "isNextFree" ON `subscriptions`
WHEN (old."status", old."tierSlug", old."collectionPause" IS NOT NULL, old."yearlyNet", old."isNextFree")
	IS NOT (new."status", new."tierSlug", new."collectionPause" IS NOT NULL, new."yearlyNet", new."isNextFree") BEGIN
	UPDATE `subscription_sums` SET "subscriptions" = "subscriptions" - 1, "yearlyNet" = "yearlyNet" - old."yearlyNet",
		"paying" = "paying" - (old."yearlyNet" > 0), "nextYearlyNet" = "nextYearlyNet" - iif(old."isNextFree", 0, old."yearlyNet")
	WHERE "status" = old."status" AND "tierSlug" = old."tierSlug" AND "isPaused" = (old."collectionPause" IS NOT NULL);
	INSERT INTO `subscription_sums` VALUES (new."status", new."tierSlug", new."collectionPause" IS NOT NULL, 1, new."yearlyNet",
		new."yearlyNet" > 0, iif(new."isNextFree", 0, new."yearlyNet"))
	ON CONFLICT ("status", "tierSlug", "isPaused") DO UPDATE SET "subscriptions" = "subscriptions" + 1,
		"yearlyNet" = "yearlyNet" + excluded."yearlyNet", "paying" = "paying" + excluded."paying",
		"nextYearlyNet" = "nextYearlyNet" + excluded."nextYearlyNet";
END;

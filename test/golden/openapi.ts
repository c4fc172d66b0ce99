export interface paths {
    "/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List products, newest first
         * @description Needs the scope `products:read`.
         */
        get: operations["listProducts"];
        put?: never;
        /**
         * Create a product
         * @description Without a currency the product takes the default currency of the organization. A new product is active.
         *
         *     Needs the scope `products:write`.
         */
        post: operations["createProduct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search active products
         * @description Finds `q` anywhere in the name, description, SKU or category, in any case.
         *
         *     Needs the scope `products:read`.
         */
        get: operations["searchProducts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/products/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a product
         * @description Needs the scope `products:read`.
         */
        get: operations["getProduct"];
        put?: never;
        post?: never;
        /**
         * Delete a product for good
         * @description Lines of invoices that copied the product are unaffected.
         *
         *     Needs the scope `products:write`.
         */
        delete: operations["deleteProduct"];
        options?: never;
        head?: never;
        /**
         * Change a product
         * @description Only the members that are sent change. Lines of invoices that copied the product keep their values.
         *
         *     Needs the scope `products:write`.
         */
        patch: operations["updateProduct"];
        trace?: never;
    };
    "/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List clients, newest first
         * @description Ordered by name, case is ignored, and a client that was just created or renamed may take a moment to appear in its place.
         *
         *     Needs the scope `clients:read`.
         */
        get: operations["listClients"];
        put?: never;
        /**
         * Create a client
         * @description Only the name is required, and two clients may have the same; whatever else is left out is null.
         *
         *     Needs the scope `clients:write`.
         */
        post: operations["createClient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/clients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a client
         * @description Needs the scope `clients:read`.
         */
        get: operations["getClient"];
        put?: never;
        post?: never;
        /**
         * Delete a client
         * @description Its projects and entries stay, without a client; entries keep its name as their label. From this moment nobody sees a link to it. Invoices are unaffected.
         *
         *     Needs the scope `clients:write`.
         */
        delete: operations["deleteClient"];
        options?: never;
        head?: never;
        /**
         * Change a client
         * @description Only the members that are sent change; null clears one. Invoices keep the values that they copied.
         *
         *     Needs the scope `clients:write`.
         */
        patch: operations["updateClient"];
        trace?: never;
    };
    "/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices, newest first
         * @description Ordered by number, drafts, which have none, count as the newest; by due date, invoices without one as the latest; `total` orders by the number, whatever the currency. In any order but `createdAt`, an invoice that was just created or changed may take a moment to appear in its place.
         *
         *     Needs the scope `invoices:read`.
         */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Create a draft invoice
         * @description Takes lines that are spelled out in `lineItems`, tracked time by `timeEntries`, or both; the lines of `timeEntries` come last. Products (at most 80 different ones), the client and tracked time are copied. Entries that an invoice bills become `invoiced` and refuse changes, until it is voided or, as a draft, deleted; each is on one invoice at most, also when several requests want it at once: then one gets it, and the others bill the rest, or response `invoice_empty` where there is none. Who would have to wait for too long is told so by `invoicing_in_progress`, with `Retry-After`. Not idempotent.
         *
         *     Needs the scope `invoices:write`.
         */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice
         * @description Needs the scope `invoices:read`.
         */
        get: operations["getInvoice"];
        put?: never;
        post?: never;
        /**
         * Delete a draft invoice for good
         * @description Its entries can be billed again at once.
         *
         *     Needs the scope `invoices:write`.
         */
        delete: operations["deleteInvoice"];
        options?: never;
        head?: never;
        /**
         * Change a draft invoice
         * @description Only the members that are sent change; a body without any changes nothing, also of an invoice that is final. `lineItems` replaces all lines: a line of tracked time stays when its `entryIds` are sent again, and entries that are on no line any more are released. Lines may be sent as they were answered; a value that a line of a product leaves out is copied from the product as it is now.
         *
         *     Needs the scope `invoices:write`.
         */
        patch: operations["updateInvoice"];
        trace?: never;
    };
    "/invoices/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a draft invoice
         * @description The invoice gets the next number of the organization and is final: it can only be paid or voided. Numbers have no gaps.
         *
         *     Needs the scope `invoices:write`.
         */
        post: operations["sendInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a sent invoice as paid
         * @description Needs the scope `invoices:write`.
         */
        post: operations["payInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void a sent invoice
         * @description It keeps its number and its lines. Its entries can be billed again at once.
         *
         *     Needs the scope `invoices:write`.
         */
        post: operations["voidInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invoices/{id}/pdf": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an invoice as a PDF
         * @description In any state; what is not sent yet, or void, says so. The organization is its issuer.
         *
         *     Needs the scope `invoices:read`.
         */
        get: operations["getInvoicePdf"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects with their totals, newest first
         * @description Needs the scope `tracker:read`.
         */
        get: operations["listProjects"];
        put?: never;
        /**
         * Create a project
         * @description Without a currency the project takes the default currency of the organization. `rate` is returned as `defaultRate`.
         *
         *     Needs the scope `tracker:write`.
         */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project with its totals over all time
         * @description Needs the scope `tracker:read`.
         */
        get: operations["getProject"];
        put?: never;
        post?: never;
        /**
         * Delete a project
         * @description Its entries stay, without a project. From this response on nobody sees a link to it.
         *
         *     Needs the scope `tracker:write`.
         */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        /**
         * Change a project
         * @description Only the members that are sent change, and there must be one. A new rate or currency holds for new entries; those that are there keep theirs.
         *
         *     Needs the scope `tracker:write`.
         */
        patch: operations["updateProject"];
        trace?: never;
    };
    "/v1/work/tracker/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List native and imported entries
         * @description Newest first: by date, then start, then creation.
         *
         *     Needs the scope `tracker:read`.
         */
        get: operations["listEntries"];
        put?: never;
        /**
         * Create a work entry
         * @description Without a rate the entry takes the default rate of its project, if that is in the same currency. The currency defaults to that of the project, then of the organization; the client to that of the project. Not idempotent.
         *
         *     Needs the scope `tracker:write`.
         */
        post: operations["createEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/entries/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Billable totals of a date range
         * @description Every total is a sum of the amounts of entries; currencies are never added together. A project with work in several currencies has an item for each. `totalAmount` counts what is in `currency`, the only currency of the range or else the default of the organization.
         *
         *     Needs the scope `tracker:read`.
         */
        get: operations["summarizeEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/entries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a work entry
         * @description Needs the scope `tracker:read`.
         */
        get: operations["getEntry"];
        put?: never;
        post?: never;
        /**
         * Delete a work entry for good
         * @description An invoiced entry refuses it; one that is just being put on an invoice does so with `invoicing_in_progress` and `Retry-After`.
         *
         *     Needs the scope `tracker:write`.
         */
        delete: operations["deleteEntry"];
        options?: never;
        head?: never;
        /**
         * Change a work entry
         * @description Both clock times without a duration set the duration to their span; a new duration without clock times moves the end; a new date moves both. `null` unlinks the client or the project. An invoiced entry refuses changes; one that is just being put on an invoice does so with `invoicing_in_progress` and `Retry-After`.
         *
         *     Needs the scope `tracker:write`.
         */
        patch: operations["updateEntry"];
        trace?: never;
    };
    "/v1/work/tracker/timer/active": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller's running timer, or null
         * @description A timer runs until it is stopped or discarded, past midnight and for days.
         *
         *     Needs the scope `tracker:read`.
         */
        get: operations["getActiveTimer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/timer/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a timer
         * @description A user has at most one running timer in an organization; while there is one, a start answers it in the `session` of a `timer_already_running`. Whether the time is billable, its rate and currency and the client come from the project unless they are given; a rate of 0 is a rate. Without a project the time is billable and in the default currency of the organization.
         *
         *     Needs the scope `tracker:write`.
         */
        post: operations["startTimer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/timer/{sessionId}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a running timer and book its time
         * @description What is sent replaces what the start has said. A started minute counts as a whole one; a timer that ran for more than a year counts 525,600 minutes, the most that an entry can have. The entry is on the UTC date of the start. Without a description it takes the name of the project, else `Tracked time`. A project or client that was deleted while the timer ran does not keep it from being stopped: the entry has no link to it, and keeps the name of the client as its label. However many stops there are, one makes the entry; the others response its session and entry in a `timer_not_running`.
         *
         *     Needs the scope `tracker:write`.
         */
        post: operations["stopTimer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/timer/{sessionId}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discard a running timer
         * @description Ends the session and books nothing.
         *
         *     Needs the scope `tracker:write`.
         */
        post: operations["discardTimer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/timer/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's timer sessions, newest first
         * @description Needs the scope `tracker:read`.
         */
        get: operations["listTimerSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/remote/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Connect the remote time tracker
         * @description The credential is validated with the provider before it is stored. Connecting again replaces it and keeps the settings of the sync; what is known of the last sync is kept too, unless the account is another.
         *
         *     Needs the scope `tracker:remote`.
         */
        post: operations["connectRemote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/remote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the state of the connection and of its sync
         * @description Without a connection the response has `connected` alone, which is false.
         *
         *     Needs the scope `tracker:remote`.
         */
        get: operations["getRemote"];
        put?: never;
        post?: never;
        /**
         * Disconnect the remote time tracker
         * @description Removes the credential and the settings of the sync. Imported entries and the history of imports stay.
         *
         *     Needs the scope `tracker:remote`.
         */
        delete: operations["disconnectRemote"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/remote/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Configure the scheduled sync
         * @description A connection that has never been synced is due at once when its sync is switched on, any other one interval after its last sync. Syncs are started every five minutes. A sync that has not ended after half an hour has failed. After five failures in a row a sync is tried once a day.
         *
         *     Needs the scope `tracker:remote`.
         */
        patch: operations["updateRemoteSettings"];
        trace?: never;
    };
    "/v1/work/tracker/remote/sync/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview what the provider has
         * @description Fetches the entries of a range of dates, says of each whether it was imported before, and maps names of clients and projects as far as that is beyond doubt: the names are equal but for case, space and punctuation, or the mapping was confirmed before. Review the rows and send them to confirm as they are.
         *
         *     Nothing is written, so that it can be repeated at will. At most 10,000 entries of the provider, among at most 20,000 that were imported before, and a response of 6 MB as a function sends it, in which each quotation mark and backslash counts twice or more: a range of dates with more is refused, and a narrower one may do.
         *
         *     One entry that cannot be right, such as one with negative hours, makes the whole range fail with 502: without it, too little would be billed and nobody would know. An entry that the provider has moved to a date outside of the range is among the missing, because the provider is asked for the range alone.
         *
         *     Needs the scope `tracker:remote`.
         */
        post: operations["previewRemoteSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/remote/sync/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import reviewed rows
         * @description Each row is imported once, however often it is sent: a row that is there already is skipped. A row is known again by its `externalId`, or without one by all that it says and its place among equal rows.
         *
         *     The response waits until everything is imported. If that takes too long it is a 202 with the counts so far; the history has the outcome.
         *
         *     A row or mapping that breaks a rule stops everything: the problem lists the first 100, and the history has the import as failed. Names without a mapping are imported without a link.
         *
         *     Bodies may be gzipped. At most 10,000 rows, 6 MB as sent and 32 MiB unpacked.
         *
         *     Needs the scope `tracker:remote`.
         */
        post: operations["confirmRemoteSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/remote/sync/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports, newest first
         * @description Also without a connection.
         *
         *     Needs the scope `tracker:remote`.
         */
        get: operations["listRemoteSyncHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/work/tracker/remote/sync/history/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take an import back
         * @description Removes the entries that the import made and that are neither invoiced nor edited since; its rows can then be imported again. What the import updated stays as it is.
         *
         *     An undoing that did not get to its end may be sent again, and goes on. While an entry is just being put on an invoice, the response is `invoicing_in_progress` with `Retry-After`.
         *
         *     Needs the scope `tracker:remote`.
         */
        post: operations["undoRemoteSync"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's API keys, newest first
         * @description Needs the scope `keys:read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Issue an API key
         * @description A key belongs to the organization of its creator and can hold only scopes that its creator holds.
         *
         *     Needs the scope `keys:write`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description The key stops working everywhere within 30 seconds.
         *
         *     Needs the scope `keys:write`.
         */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Say that the service is up */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The reference as an interactive page */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A script or style sheet of the reference page */
        get: operations["getDocsAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** Deletion */
        Deletion: {
            /** @constant */
            success: true;
            /** Format: uuid */
            id: string;
        };
        /** PageInfo */
        PageInfo: {
            /** @description Whether rows follow the page, in the order of the list. */
            hasNextPage: boolean;
            /** @description Whether rows precede the page, in the order of the list. */
            hasPreviousPage: boolean;
            /** @description The cursor of the first edge; null without one. */
            startCursor: string | null;
            /** @description The cursor of the last edge; null without one. */
            endCursor: string | null;
        };
        /** PageMeta */
        PageMeta: {
            /** @description How many there are on all pages. */
            total: number;
            limit: number;
            offset: number;
        };
        /**
         * Problem
         * @description An RFC 9457 document. Switch on `code`; `title` and `detail` are for people and may change.
         */
        Problem: {
            /**
             * Format: uri-reference
             * @description A stable name of the kind of problem: `/problems/{code}`.
             */
            type: string;
            title: string;
            status: number;
            /** @description A sentence about this very request; of several faults it tells the first. */
            detail: string;
            /** @enum {string} */
            code: "client_mismatch" | "currency_mismatch" | "entry_invoiced" | "entry_not_billable" | "import_failed" | "import_not_undoable" | "insufficient_scope" | "internal_error" | "invalid_date_range" | "invalid_import" | "invalid_remote_credential" | "invoice_empty" | "invoice_state_forbids" | "invoice_too_large" | "invoicing_in_progress" | "malformed_encoding" | "malformed_json" | "method_not_allowed" | "not_found" | "payload_too_large" | "project_name_taken" | "range_too_large" | "rate_limited" | "reference_not_found" | "remote_credential_rejected" | "remote_throttled" | "remote_timed_out" | "remote_unavailable" | "route_not_found" | "scope_not_grantable" | "temporarily_unavailable" | "timer_already_running" | "timer_not_running" | "too_many_remote_entries" | "tracked_time_fixed" | "unauthenticated" | "unsupported_encoding" | "unsupported_media_type" | "validation_failed";
            /** @description The same as in the header `x-request-id`. */
            requestId: string;
            errors?: components["schemas"]["Violation"][];
        };
        /**
         * Violation
         * @description One thing that is wrong with a request.
         */
        Violation: {
            /**
             * @description Dotted, with array positions as numbers; empty for the whole body.
             * @example rows.3.date
             */
            path: string;
            message: string;
            /** @example required */
            code: string;
        };
        /** ApiKey */
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: uuid */
            organizationId: string;
            /** Format: uuid */
            userId: string;
            scopes: ("products:read" | "products:write" | "clients:read" | "clients:write" | "invoices:read" | "invoices:write" | "tracker:read" | "tracker:write" | "tracker:remote" | "keys:read" | "keys:write")[];
            /** @description Requests a minute. */
            rateLimit: number;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** Client */
        Client: {
            /** Format: uuid */
            id: string;
            name: string;
            email: string | null;
            phone: string | null;
            website: string | null;
            contact: string | null;
            addressLine1: string | null;
            addressLine2: string | null;
            city: string | null;
            region: string | null;
            postalCode: string | null;
            countryCode: string | null;
            taxNumber: string | null;
            currency: string | null;
            note: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /**
         * Customer
         * @description What the client was when the invoice was created.
         */
        Customer: {
            name: string;
            email: string | null;
            phone: string | null;
            website: string | null;
            contact: string | null;
            addressLine1: string | null;
            addressLine2: string | null;
            city: string | null;
            region: string | null;
            postalCode: string | null;
            countryCode: string | null;
            taxNumber: string | null;
        };
        /** ImportConfirmation */
        ImportConfirmation: {
            /** Format: uuid */
            importJobId: string;
            /** @enum {string} */
            status: "processing" | "imported";
            importedCount: number;
            updatedCount: number;
            skippedCount: number;
        };
        /** ImportJob */
        ImportJob: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "processing" | "imported" | "failed" | "undone";
            /** @enum {string} */
            trigger: "confirm" | "schedule";
            rowCountTotal: number;
            rowCountValid: number;
            /** @description Rows that break a rule: then nothing was imported. */
            rowCountInvalid: number;
            /** @description Rows that had been imported before. */
            rowCountDeduped: number;
            importedCount: number;
            /** @description Rows that have changed an entry which was there. */
            updatedCount: number;
            /** @description Rows that did nothing. When the import has ended, imported, updated, skipped and invalid rows are all rows. */
            skippedCount: number;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            completedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** ImportUndoing */
        ImportUndoing: {
            /** Format: uuid */
            importJobId: string;
            removedCount: number;
            keptInvoicedCount: number;
            keptEditedCount: number;
        };
        /** Invoice */
        Invoice: {
            /** Format: uuid */
            id: string;
            /** @description Given when the invoice is sent, without gaps: `INV-000001`. */
            number: string | null;
            /** @enum {string} */
            status: "draft" | "sent" | "paid" | "void";
            /**
             * Format: uuid
             * @description Of the client that was billed; it may be deleted by now.
             */
            clientId: string;
            customer: components["schemas"]["Customer"];
            currency: string;
            /** Format: date */
            issueDate: string;
            /** Format: date */
            dueDate: string | null;
            /** @description In the invoice's currency, with all its minor digits. */
            subtotal: string;
            /** @description The sum of the taxes of the lines, each rounded half up. */
            taxTotal: string;
            /** @description In the invoice's currency, with all its minor digits. */
            total: string;
            notes: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            sentAt: string | null;
            /** Format: date-time */
            paidAt: string | null;
            /** Format: date-time */
            voidedAt: string | null;
            lineItems: components["schemas"]["LineItem"][];
        };
        /** IssuedApiKey */
        IssuedApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** Format: uuid */
            organizationId: string;
            /** Format: uuid */
            userId: string;
            scopes: ("products:read" | "products:write" | "clients:read" | "clients:write" | "invoices:read" | "invoices:write" | "tracker:read" | "tracker:write" | "tracker:remote" | "keys:read" | "keys:write")[];
            /** @description Requests a minute. */
            rateLimit: number;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description The key itself. It is shown this once and never again. */
            apiKey: string;
        };
        /** LineItem */
        LineItem: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            productId: string | null;
            /** @description The entries that the line bills; empty unless it is tracked time. */
            entryIds: string[];
            name: string;
            description: string;
            /** @description Hours of tracked time. */
            quantity: string;
            unit: string;
            price: string;
            /** @description Comes on top of the amount. */
            taxRate: string | null;
            /** @description Quantity x price, rounded half up to the minor unit. Of tracked time it is the sum of the amounts of the entries, which may differ from that by what these were rounded. */
            amount: string;
        };
        /** ListedInvoice */
        ListedInvoice: {
            /** Format: uuid */
            id: string;
            /** @description Given when the invoice is sent, without gaps: `INV-000001`. */
            number: string | null;
            /** @enum {string} */
            status: "draft" | "sent" | "paid" | "void";
            /**
             * Format: uuid
             * @description Of the client that was billed; it may be deleted by now.
             */
            clientId: string;
            customer: components["schemas"]["Customer"];
            currency: string;
            /** Format: date */
            issueDate: string;
            /** Format: date */
            dueDate: string | null;
            /** @description In the invoice's currency, with all its minor digits. */
            subtotal: string;
            /** @description The sum of the taxes of the lines, each rounded half up. */
            taxTotal: string;
            /** @description In the invoice's currency, with all its minor digits. */
            total: string;
            notes: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** Format: date-time */
            sentAt: string | null;
            /** Format: date-time */
            paidAt: string | null;
            /** Format: date-time */
            voidedAt: string | null;
            /** @description Left out where the lines take more than 8 KB: get the invoice to see them. */
            lineItems?: components["schemas"]["LineItem"][];
        };
        /** MissingRemoteEntry */
        MissingRemoteEntry: {
            /** Format: uuid */
            workEntryId: string;
            externalId: string;
            /** Format: date */
            date: string;
            durationMinutes: number;
            description: string;
        };
        /** NotConnected */
        NotConnected: {
            /** @constant */
            connected: false;
        };
        /** Product */
        Product: {
            /** Format: uuid */
            id: string;
            name: string;
            description: string;
            sku: string | null;
            category: string | null;
            price: string;
            currency: string;
            unit: string;
            taxRate: string | null;
            isActive: boolean;
            usageCount: number;
            /** Format: uuid */
            userId: string;
            /** Format: uuid */
            organizationId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** Project */
        Project: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organizationId: string;
            /** Format: uuid */
            clientId: string | null;
            name: string;
            code: string | null;
            description: string | null;
            externalRef: string | null;
            /** @enum {string} */
            billingMode: "hourly" | "fixed" | "non_billable";
            /** @description New timers of the project inherit it. */
            billable: boolean;
            defaultRate: string | null;
            currency: string;
            estimateHours: number | null;
            /** @enum {string} */
            status: "in_progress" | "completed" | "archived";
            color: string | null;
            tags: string[];
            assignedUserIds: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description All tracked minutes, over all time. */
            totalMinutes: number;
            /** @description Minutes of billable entries. */
            billableMinutes: number;
            /** @description The sum of the billable entries' amounts in the project's currency. */
            totalAmount: number;
            /** @description The exact sums of the billable entries' amounts in each currency that has one. */
            amountsByCurrency: {
                currency: string;
                amount: string;
            }[];
        };
        /** RemoteConnection */
        RemoteConnection: {
            /** @constant */
            connected: true;
            accountName: string;
            /**
             * @description Whose entries the credential lets us read: everybody's, those of the user and the user's teams, or only the user's own.
             * @enum {string}
             */
            visibility: "all" | "team" | "own";
            /**
             * Format: date-time
             * @description When the last scheduled sync ran, whether it succeeded or not. A confirm by hand does not count.
             */
            lastSyncAt: string | null;
            /**
             * @description Of the scheduled sync; `idle` until it has run for the first time.
             * @enum {string}
             */
            lastSyncStatus: "idle" | "syncing" | "succeeded" | "failed";
            /** @description How many entries the last scheduled sync has made. */
            lastSyncEntriesImported: number;
            syncEnabled: boolean;
            syncIntervalMinutes: number;
        };
        /** RemoteConnectionStatus */
        RemoteConnectionStatus: components["schemas"]["RemoteConnection"] | components["schemas"]["NotConnected"];
        /** RemoteSyncPreview */
        RemoteSyncPreview: {
            /** @constant */
            provider: "remote_api";
            /** @description What the provider was asked for, both inclusive. */
            dateRange: {
                /** Format: date */
                from: string;
                /** Format: date */
                to: string;
            };
            /**
             * @description Whose entries the credential shows: of all users, of the teams of its own, or only its own.
             * @enum {string}
             */
            visibility: "all" | "team" | "own";
            /** @description What the provider has in the range, with the skipped. */
            totalEntries: number;
            newEntries: number;
            /** @description Rows that were imported before, with the changed. */
            duplicateEntries: number;
            /** @description Rows that were imported before, and have another content now. */
            changedEntries: number;
            /** @description Running timers and entries without a duration, which are left out. */
            skippedEntries: number;
            rows: components["schemas"]["RemoteWorkPreviewRow"][];
            clientMapping: {
                [key: string]: string;
            };
            projectMapping: {
                [key: string]: string;
            };
            /** @description Names without a confident match. */
            unmappedClients: string[];
            /** @description Names without a confident match. */
            unmappedProjects: string[];
            /** @description Entries of the range that were imported from this account and that it does not show in the range any more: they were deleted, moved out of it, or hidden from this credential. A report: nothing is deleted. */
            missingEntries: components["schemas"]["MissingRemoteEntry"][];
        };
        /** RemoteWorkPreviewRow */
        RemoteWorkPreviewRow: {
            /** Format: date */
            date: string;
            durationMinutes: number;
            description: string;
            project: string | null;
            client: string | null;
            user: string | null;
            externalId: string | null;
            billable: boolean;
            rate: number | null;
            currency: string;
            /** @enum {string} */
            status: "new" | "duplicate" | "changed";
        };
        /** RemoteWorkRow */
        RemoteWorkRow: {
            /**
             * Format: date
             * @description From 1900-01-01 to 9998-12-30.
             */
            date: string;
            durationMinutes: number;
            /** @default  */
            description: string;
            /** @default null */
            project: string | null;
            /** @default null */
            client: string | null;
            /** @default null */
            user: string | null;
            /** @default null */
            externalId: string | null;
            /** @default true */
            billable: boolean;
            /** @default null */
            rate: number | null;
            /**
             * @default null
             * @example USD
             */
            currency: string | null;
        };
        /** StoppedTimer */
        StoppedTimer: {
            session: components["schemas"]["TimerSession"];
            workEntry: components["schemas"]["WorkEntry"] | null;
            durationMinutes: number;
        };
        /** TimerSession */
        TimerSession: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            status: "running" | "stopped" | "discarded";
            description: string;
            /** Format: uuid */
            clientId: string | null;
            /** Format: uuid */
            projectId: string | null;
            billable: boolean;
            rate: string | null;
            currency: string;
            /** Format: date-time */
            startedAt: string;
            /**
             * Format: date-time
             * @description When it was stopped or discarded.
             */
            stoppedAt: string | null;
            /** @description Null while the timer runs. */
            durationMinutes: number | null;
            /**
             * Format: uuid
             * @description The entry that the stop made; it may be deleted by now.
             */
            workEntryId: string | null;
            /** Format: uuid */
            userId: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** WorkEntry */
        WorkEntry: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            organizationId: string;
            /** Format: uuid */
            userId: string;
            description: string;
            /** Format: date-time */
            entryDate: string;
            /** Format: date-time */
            startedAt: string | null;
            /** Format: date-time */
            endedAt: string | null;
            durationMinutes: number;
            /** @description Hours. */
            quantity: string;
            /** @constant */
            unit: "hour";
            rate: string | null;
            currency: string;
            /** @description Minutes / 60 x rate, rounded half up to the minor unit. */
            amount: string | null;
            billable: boolean;
            /** @enum {string} */
            billingStatus: "non_billable" | "unbilled" | "invoiced";
            /** Format: uuid */
            invoiceId: string | null;
            /** @enum {string} */
            source: "native_tracker" | "remote_api";
            /** Format: uuid */
            timerSessionId: string | null;
            /** Format: uuid */
            clientId: string | null;
            clientLabel: string | null;
            /** Format: uuid */
            projectId: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** WorkSummary */
        WorkSummary: {
            /** Format: date */
            dateFrom: string;
            /** Format: date */
            dateTo: string;
            /** @description Billable minutes. */
            totalMinutes: number;
            /** @description All minutes. */
            trackedMinutes: number;
            totalAmount: number;
            currency: string;
            byProject: {
                /** Format: uuid */
                projectId: string | null;
                projectName: string | null;
                /** @description Billable minutes. */
                totalMinutes: number;
                /** @description All minutes. */
                trackedMinutes: number;
                totalAmount: number;
                currency: string;
            }[];
            byCurrency: {
                currency: string;
                totalMinutes: number;
                totalAmount: number;
            }[];
        };
    };
    responses: {
        /** @description The project belongs to another client. The body does not match its Content-Encoding. The body is not valid JSON. The organization owns no such client, project, product or entry. */
        ClientMismatchOrMalformedEncodingOrMalformedJsonOrReferenceNotFound: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "client_mismatch" | "malformed_encoding" | "malformed_json" | "reference_not_found";
                };
            };
        };
        /** @description The product is in another currency than the invoice. The entry cannot be on this invoice. The date range ends before it begins. The invoice would have no line. The invoice would be too large. The body does not match its Content-Encoding. The body is not valid JSON. The organization owns no such client, project, product or entry. A line of tracked time has the quantity and price of its entries. */
        CurrencyMismatchOrEntryNotBillableOrInvalidDateRangeOrInvoiceEmptyOrInvoiceTooLargeOrMalformedEncodingOrMalformedJsonOrReferenceNotFoundOrTrackedTimeFixed: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "currency_mismatch" | "entry_not_billable" | "invalid_date_range" | "invoice_empty" | "invoice_too_large" | "malformed_encoding" | "malformed_json" | "reference_not_found" | "tracked_time_fixed";
                };
            };
        };
        /** @description The product is in another currency than the invoice. The entry cannot be on this invoice. The date range ends before it begins. The invoice would be too large. The body does not match its Content-Encoding. The body is not valid JSON. The organization owns no such client, project, product or entry. A line of tracked time has the quantity and price of its entries. */
        CurrencyMismatchOrEntryNotBillableOrInvalidDateRangeOrInvoiceTooLargeOrMalformedEncodingOrMalformedJsonOrReferenceNotFoundOrTrackedTimeFixed: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "currency_mismatch" | "entry_not_billable" | "invalid_date_range" | "invoice_too_large" | "malformed_encoding" | "malformed_json" | "reference_not_found" | "tracked_time_fixed";
                };
            };
        };
        /** @description The entry is on an invoice. The invoice is in a state that forbids this. The client's time is being put on another invoice. */
        EntryInvoicedOrInvoiceStateForbidsOrInvoicingInProgress: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "entry_invoiced" | "invoice_state_forbids" | "invoicing_in_progress";
                };
            };
        };
        /** @description The entry is on an invoice. The client's time is being put on another invoice. */
        EntryInvoicedOrInvoicingInProgress: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "entry_invoiced" | "invoicing_in_progress";
                };
            };
        };
        /** @description The import ended before all rows were imported. Something failed on our side. */
        ImportFailedOrInternalError: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @enum {unknown} */
                    code?: "import_failed" | "internal_error";
                };
            };
        };
        /** @description The import cannot be undone. The client's time is being put on another invoice. */
        ImportNotUndoableOrInvoicingInProgress: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "import_not_undoable" | "invoicing_in_progress";
                };
            };
        };
        /** @description The API key lacks a scope. */
        InsufficientScope: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "insufficient_scope";
                };
            };
        };
        /** @description The API key lacks a scope. A key cannot grant a scope that its creator lacks. */
        InsufficientScopeOrScopeNotGrantable: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 403;
                    /** @enum {unknown} */
                    code?: "insufficient_scope" | "scope_not_grantable";
                };
            };
        };
        /** @description Something failed on our side. */
        InternalError: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 500;
                    /** @enum {unknown} */
                    code?: "internal_error";
                };
            };
        };
        /** @description The date range ends before it begins. */
        InvalidDateRange: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "invalid_date_range";
                };
            };
        };
        /** @description The date range ends before it begins. The body does not match its Content-Encoding. The body is not valid JSON. The provider has too many entries in this range. */
        InvalidDateRangeOrMalformedEncodingOrMalformedJsonOrTooManyRemoteEntries: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "invalid_date_range" | "malformed_encoding" | "malformed_json" | "too_many_remote_entries";
                };
            };
        };
        /** @description The date range ends before it begins. The range holds more entries than a request may read. */
        InvalidDateRangeOrRangeTooLarge: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "invalid_date_range" | "range_too_large";
                };
            };
        };
        /** @description Rows or mappings break a rule; nothing was imported. The body does not match its Content-Encoding. The body is not valid JSON. */
        InvalidImportOrMalformedEncodingOrMalformedJson: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "invalid_import" | "malformed_encoding" | "malformed_json";
                    /** Format: uuid */
                    importJobId?: string;
                };
            };
        };
        /** @description The provider rejects the credential. The body does not match its Content-Encoding. The body is not valid JSON. */
        InvalidRemoteCredentialOrMalformedEncodingOrMalformedJson: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "invalid_remote_credential" | "malformed_encoding" | "malformed_json";
                };
            };
        };
        /** @description The invoice is in a state that forbids this. */
        InvoiceStateForbids: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "invoice_state_forbids";
                };
            };
        };
        /** @description The body does not match its Content-Encoding. The body is not valid JSON. */
        MalformedEncodingOrMalformedJson: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "malformed_encoding" | "malformed_json";
                };
            };
        };
        /** @description The body does not match its Content-Encoding. The body is not valid JSON. The organization owns no such client, project, product or entry. */
        MalformedEncodingOrMalformedJsonOrReferenceNotFound: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 400;
                    /** @enum {unknown} */
                    code?: "malformed_encoding" | "malformed_json" | "reference_not_found";
                };
            };
        };
        /** @description There is no such resource. */
        NotFound: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 404;
                    /** @enum {unknown} */
                    code?: "not_found";
                };
            };
        };
        /** @description The body is too large. */
        PayloadTooLarge: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 413;
                    /** @enum {unknown} */
                    code?: "payload_too_large";
                };
            };
        };
        /** @description Another project has this name. */
        ProjectNameTaken: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "project_name_taken";
                };
            };
        };
        /** @description The rate limit of the API key is used up. */
        RateLimited: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 429;
                    /** @enum {unknown} */
                    code?: "rate_limited";
                };
            };
        };
        /** @description The provider rejects the stored credential; connect again. The provider failed. */
        RemoteCredentialRejectedOrRemoteUnavailable: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 502;
                    /** @enum {unknown} */
                    code?: "remote_credential_rejected" | "remote_unavailable";
                };
            };
        };
        /** @description The provider takes no more requests for now. The service is overloaded; try again shortly. */
        RemoteThrottledOrTemporarilyUnavailable: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {unknown} */
                    code?: "remote_throttled" | "temporarily_unavailable";
                };
            };
        };
        /** @description The provider took too long. */
        RemoteTimedOut: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 504;
                    /** @enum {unknown} */
                    code?: "remote_timed_out";
                };
            };
        };
        /** @description The provider failed. */
        RemoteUnavailable: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 502;
                    /** @enum {unknown} */
                    code?: "remote_unavailable";
                };
            };
        };
        /** @description The service is overloaded; try again shortly. */
        TemporarilyUnavailable: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 503;
                    /** @enum {unknown} */
                    code?: "temporarily_unavailable";
                };
            };
        };
        /** @description A timer is running already. */
        TimerAlreadyRunning: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "timer_already_running";
                    session: components["schemas"]["TimerSession"];
                };
            };
        };
        /** @description The timer is not running any more. */
        TimerNotRunning: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 409;
                    /** @enum {unknown} */
                    code?: "timer_not_running";
                    session: components["schemas"]["TimerSession"];
                    workEntry: components["schemas"]["WorkEntry"] | null;
                };
            };
        };
        /** @description A valid API key is required. */
        Unauthenticated: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 401;
                    /** @enum {unknown} */
                    code?: "unauthenticated";
                };
            };
        };
        /** @description The Content-Encoding is not supported. The body must be application/json. */
        UnsupportedEncodingOrUnsupportedMediaType: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 415;
                    /** @enum {unknown} */
                    code?: "unsupported_encoding" | "unsupported_media_type";
                };
            };
        };
        /** @description The request breaks the schema. */
        ValidationFailed: {
            headers: {
                "x-request-id": components["headers"]["x-request-id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"] & {
                    /** @constant */
                    status?: 422;
                    /** @enum {unknown} */
                    code?: "validation_failed";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Names the request in our logs; problems repeat it.
         * @example Yx4dGjT1oAMEJzQ=
         */
        "x-request-id": string;
        /**
         * @description Requests that remain (`r`) and seconds until the bucket is full (`t`).
         * @example "default";r=599;t=1
         */
        RateLimit: string;
        /**
         * @description Size of the bucket (`q`) and the seconds in which it refills (`w`).
         * @example "default";q=600;w=60
         */
        "RateLimit-Policy": string;
        /**
         * @description Seconds until another request makes sense.
         * @example 2
         */
        "Retry-After": number;
        /**
         * @description With `pagination=cursor`: other pages (RFC 8288), relative to the request. `first` and `last` are always there; `prev` and `next` exactly when `hasPreviousPage` and `hasNextPage` are true.
         * @example </clients?pagination=cursor&first=50>; rel="first", </clients?pagination=cursor&last=50>; rel="last"
         */
        Link: string;
        /**
         * @description The scheme of authentication.
         * @example Bearer
         */
        "WWW-Authenticate": "Bearer";
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listProducts: {
        parameters: {
            query?: {
                /** @description How many items the page has at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description Part of the name, in any case. */
                q?: string;
                /** @description True includes inactive products. */
                includeInactive?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61",
                     *           "name": "Consulting",
                     *           "description": "On-site consulting",
                     *           "sku": "CONS-1",
                     *           "category": "Services",
                     *           "price": "120.00",
                     *           "currency": "USD",
                     *           "unit": "hour",
                     *           "taxRate": "19",
                     *           "isActive": true,
                     *           "usageCount": 0,
                     *           "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *           "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *           "createdAt": "2026-11-20T09:30:00.000Z",
                     *           "updatedAt": "2026-11-20T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 50,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Product"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    createProduct: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Consulting",
                 *       "description": "On-site consulting",
                 *       "sku": "CONS-1",
                 *       "category": "Services",
                 *       "price": "120.00",
                 *       "currency": "USD",
                 *       "unit": "hour",
                 *       "taxRate": "19"
                 *     }
                 */
                "application/json": {
                    name: string;
                    /** @default  */
                    description?: string;
                    /** @default null */
                    sku?: string | null;
                    /** @default null */
                    category?: string | null;
                    price: string;
                    /** @example USD */
                    currency?: string;
                    /** @default  */
                    unit?: string;
                    /** @default null */
                    taxRate?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "name": "Consulting",
                     *         "description": "On-site consulting",
                     *         "sku": "CONS-1",
                     *         "category": "Services",
                     *         "price": "120.00",
                     *         "currency": "USD",
                     *         "unit": "hour",
                     *         "taxRate": "19",
                     *         "isActive": true,
                     *         "usageCount": 0,
                     *         "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *         "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *         "createdAt": "2026-11-20T09:30:00.000Z",
                     *         "updatedAt": "2026-11-20T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Product"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    searchProducts: {
        parameters: {
            query: {
                q: string;
                /** @description How many items the page has at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61",
                     *           "name": "Consulting",
                     *           "description": "On-site consulting",
                     *           "sku": "CONS-1",
                     *           "category": "Services",
                     *           "price": "120.00",
                     *           "currency": "USD",
                     *           "unit": "hour",
                     *           "taxRate": "19",
                     *           "isActive": true,
                     *           "usageCount": 0,
                     *           "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *           "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *           "createdAt": "2026-11-20T09:30:00.000Z",
                     *           "updatedAt": "2026-11-20T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 20,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Product"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    getProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "name": "Consulting",
                     *         "description": "On-site consulting",
                     *         "sku": "CONS-1",
                     *         "category": "Services",
                     *         "price": "120.00",
                     *         "currency": "USD",
                     *         "unit": "hour",
                     *         "taxRate": "19",
                     *         "isActive": true,
                     *         "usageCount": 0,
                     *         "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *         "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *         "createdAt": "2026-11-20T09:30:00.000Z",
                     *         "updatedAt": "2026-11-20T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Product"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    deleteProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61"
                     *     }
                     */
                    "application/json": components["schemas"]["Deletion"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    updateProduct: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "price": "135.00",
                 *       "isActive": false
                 *     }
                 */
                "application/json": {
                    name?: string;
                    description?: string;
                    sku?: string | null;
                    category?: string | null;
                    price?: string;
                    /** @example USD */
                    currency?: string;
                    unit?: string;
                    taxRate?: string | null;
                    isActive?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "name": "Consulting",
                     *         "description": "On-site consulting",
                     *         "sku": "CONS-1",
                     *         "category": "Services",
                     *         "price": "135.00",
                     *         "currency": "USD",
                     *         "unit": "hour",
                     *         "taxRate": "19",
                     *         "isActive": false,
                     *         "usageCount": 0,
                     *         "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *         "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *         "createdAt": "2026-11-20T09:30:00.000Z",
                     *         "updatedAt": "2026-11-20T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Product"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    listClients: {
        parameters: {
            query?: {
                /** @description How the list is read; decides the shape of the response. */
                pagination?: "offset" | "cursor";
                /** @description How many items the page has at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description With `pagination=cursor`: so many rows from the start of the list, or behind `after`; 50 by default. */
                first?: number;
                /** @description With `pagination=cursor`: so many rows from the end of the list, or in front of `before`. Not together with `first`. */
                last?: number;
                /** @description With `pagination=cursor`: only rows behind this cursor. */
                after?: string;
                /** @description With `pagination=cursor`: only rows in front of this cursor. */
                before?: string;
                /** @description With `pagination=cursor`. */
                orderBy?: "createdAt" | "name";
                /** @description With `pagination=cursor`. */
                orderDirection?: "asc" | "desc";
                /** @description Part of the name, the contact or the e-mail address, in any case. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list; with `pagination=cursor` as a connection. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Client"][];
                        meta: components["schemas"]["PageMeta"];
                    } | {
                        edges: {
                            /** @description Opaque; for `after` and `before`. */
                            cursor: string;
                            node: components["schemas"]["Client"];
                        }[];
                        pageInfo: components["schemas"]["PageInfo"];
                        /** @description How many there are on all pages. */
                        totalCount: number;
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    createClient: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Northwind Traders",
                 *       "email": "billing@northwind.example",
                 *       "phone": "+49 30 123456",
                 *       "website": "https://northwind.example",
                 *       "contact": "Ada Byron",
                 *       "addressLine1": "Hafenstrasse 1",
                 *       "addressLine2": null,
                 *       "city": "Berlin",
                 *       "region": null,
                 *       "postalCode": "10115",
                 *       "countryCode": "DE",
                 *       "taxNumber": "DE123456789",
                 *       "currency": "EUR",
                 *       "note": null
                 *     }
                 */
                "application/json": {
                    name: string;
                    email?: string | null;
                    phone?: string | null;
                    /** Format: uri */
                    website?: string | null;
                    /** @description Whom to talk to. */
                    contact?: string | null;
                    addressLine1?: string | null;
                    addressLine2?: string | null;
                    city?: string | null;
                    region?: string | null;
                    postalCode?: string | null;
                    /** @example DE */
                    countryCode?: string | null;
                    taxNumber?: string | null;
                    /**
                     * @description What the client is billed in, if not in the currency of the organization.
                     * @example USD
                     */
                    currency?: string | null;
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "name": "Northwind Traders",
                     *         "email": "billing@northwind.example",
                     *         "phone": "+49 30 123456",
                     *         "website": "https://northwind.example",
                     *         "contact": "Ada Byron",
                     *         "addressLine1": "Hafenstrasse 1",
                     *         "addressLine2": null,
                     *         "city": "Berlin",
                     *         "region": null,
                     *         "postalCode": "10115",
                     *         "countryCode": "DE",
                     *         "taxNumber": "DE123456789",
                     *         "currency": "EUR",
                     *         "note": null,
                     *         "createdAt": "2026-11-20T09:30:00.000Z",
                     *         "updatedAt": "2026-11-20T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Client"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    getClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "name": "Northwind Traders",
                     *         "email": "billing@northwind.example",
                     *         "phone": "+49 30 123456",
                     *         "website": "https://northwind.example",
                     *         "contact": "Ada Byron",
                     *         "addressLine1": "Hafenstrasse 1",
                     *         "addressLine2": null,
                     *         "city": "Berlin",
                     *         "region": null,
                     *         "postalCode": "10115",
                     *         "countryCode": "DE",
                     *         "taxNumber": "DE123456789",
                     *         "currency": "EUR",
                     *         "note": null,
                     *         "createdAt": "2026-11-20T09:30:00.000Z",
                     *         "updatedAt": "2026-11-20T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Client"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    deleteClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61"
                     *     }
                     */
                    "application/json": components["schemas"]["Deletion"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    updateClient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "contact": "Grace Hopper",
                 *       "phone": null
                 *     }
                 */
                "application/json": {
                    name?: string;
                    email?: string | null;
                    phone?: string | null;
                    /** Format: uri */
                    website?: string | null;
                    /** @description Whom to talk to. */
                    contact?: string | null;
                    addressLine1?: string | null;
                    addressLine2?: string | null;
                    city?: string | null;
                    region?: string | null;
                    postalCode?: string | null;
                    /** @example DE */
                    countryCode?: string | null;
                    taxNumber?: string | null;
                    /**
                     * @description What the client is billed in, if not in the currency of the organization.
                     * @example USD
                     */
                    currency?: string | null;
                    note?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "name": "Northwind Traders",
                     *         "email": "billing@northwind.example",
                     *         "phone": null,
                     *         "website": "https://northwind.example",
                     *         "contact": "Grace Hopper",
                     *         "addressLine1": "Hafenstrasse 1",
                     *         "addressLine2": null,
                     *         "city": "Berlin",
                     *         "region": null,
                     *         "postalCode": "10115",
                     *         "countryCode": "DE",
                     *         "taxNumber": "DE123456789",
                     *         "currency": "EUR",
                     *         "note": null,
                     *         "createdAt": "2026-11-20T09:30:00.000Z",
                     *         "updatedAt": "2026-11-20T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Client"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description How the list is read; decides the shape of the response. */
                pagination?: "offset" | "cursor";
                /** @description How many items the page has at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description With `pagination=cursor`: so many rows from the start of the list, or behind `after`; 50 by default. */
                first?: number;
                /** @description With `pagination=cursor`: so many rows from the end of the list, or in front of `before`. Not together with `first`. */
                last?: number;
                /** @description With `pagination=cursor`: only rows behind this cursor. */
                after?: string;
                /** @description With `pagination=cursor`: only rows in front of this cursor. */
                before?: string;
                /** @description With `pagination=cursor`. */
                orderBy?: "createdAt" | "issueDate" | "dueDate" | "number" | "total";
                /** @description With `pagination=cursor`. */
                orderDirection?: "asc" | "desc";
                /** @description Part of the number, the customer's name or the notes, in any case. */
                q?: string;
                status?: "draft" | "sent" | "paid" | "void";
                clientId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list; with `pagination=cursor` as a connection. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ListedInvoice"][];
                        meta: components["schemas"]["PageMeta"];
                    } | {
                        edges: {
                            /** @description Opaque; for `after` and `before`. */
                            cursor: string;
                            node: components["schemas"]["ListedInvoice"];
                        }[];
                        pageInfo: components["schemas"]["PageInfo"];
                        /** @description How many there are on all pages. */
                        totalCount: number;
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    createInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                 *       "currency": "EUR",
                 *       "issueDate": "2026-11-30",
                 *       "dueDate": "2026-12-14",
                 *       "notes": "Thank you.",
                 *       "lineItems": [
                 *         {
                 *           "name": "Hosting",
                 *           "quantity": "2",
                 *           "unit": "month",
                 *           "price": "49.90",
                 *           "taxRate": "19"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** Format: uuid */
                    clientId: string;
                    /**
                     * @description By default the client's, else that of the organization.
                     * @example USD
                     */
                    currency?: string;
                    /**
                     * Format: date
                     * @description Today by default, in UTC.
                     */
                    issueDate?: string;
                    /**
                     * Format: date
                     * @description Not before the issue date.
                     * @default null
                     */
                    dueDate?: string | null;
                    /** @default null */
                    notes?: string | null;
                    /** @default [] */
                    lineItems?: {
                        /**
                         * Format: uuid
                         * @description A product in the currency of the invoice, whose values are copied unless given here.
                         */
                        productId?: string | null;
                        /** @description Entries to bill on this line: the client's, billable, with a rate, in the currency of the invoice, and on no other invoice. Quantity, unit and price come from them; several rates make several lines. */
                        entryIds?: string[];
                        /** @description Required without `productId` and `entryIds`. */
                        name?: string;
                        description?: string;
                        /** @description `"1"` by default. */
                        quantity?: string;
                        unit?: string;
                        /** @description Required without `productId` and `entryIds`. */
                        price?: string;
                        taxRate?: string | null;
                    }[];
                    /** @description Bills the client's unbilled billable entries of these days in the currency of the invoice. Entries without a rate have nothing to bill and stay unbilled. */
                    timeEntries?: {
                        /**
                         * Format: date
                         * @description Inclusive.
                         */
                        dateFrom: string;
                        /**
                         * Format: date
                         * @description Inclusive.
                         */
                        dateTo: string;
                        /**
                         * Format: uuid
                         * @description Only the entries of this project.
                         */
                        projectId?: string | null;
                        /**
                         * @description What makes a line. A group of entries with several rates makes one for each rate.
                         * @enum {string}
                         */
                        groupBy: "entry" | "project" | "day";
                        /**
                         * @description Of the lines that are made.
                         * @default null
                         */
                        taxRate?: string | null;
                    };
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "number": null,
                     *         "status": "draft",
                     *         "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "customer": {
                     *           "name": "Northwind Traders",
                     *           "email": "billing@northwind.example",
                     *           "phone": "+49 30 123456",
                     *           "website": "https://northwind.example",
                     *           "contact": "Ada Byron",
                     *           "addressLine1": "Hafenstrasse 1",
                     *           "addressLine2": null,
                     *           "city": "Berlin",
                     *           "region": null,
                     *           "postalCode": "10115",
                     *           "countryCode": "DE",
                     *           "taxNumber": "DE123456789"
                     *         },
                     *         "currency": "EUR",
                     *         "issueDate": "2026-11-30",
                     *         "dueDate": "2026-12-14",
                     *         "lineItems": [
                     *           {
                     *             "id": "019aa2fa-1c00-7b22-8c41-5e0f1a2b3c4d",
                     *             "productId": null,
                     *             "entryIds": [],
                     *             "name": "Hosting",
                     *             "description": "",
                     *             "quantity": "2",
                     *             "unit": "month",
                     *             "price": "49.90",
                     *             "taxRate": "19",
                     *             "amount": "99.80"
                     *           }
                     *         ],
                     *         "subtotal": "99.80",
                     *         "taxTotal": "18.96",
                     *         "total": "118.76",
                     *         "notes": "Thank you.",
                     *         "createdAt": "2026-11-30T09:30:00.000Z",
                     *         "updatedAt": "2026-11-30T09:30:00.000Z",
                     *         "sentAt": null,
                     *         "paidAt": null,
                     *         "voidedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Invoice"];
                    };
                };
            };
            400: components["responses"]["CurrencyMismatchOrEntryNotBillableOrInvalidDateRangeOrInvoiceEmptyOrInvoiceTooLargeOrMalformedEncodingOrMalformedJsonOrReferenceNotFoundOrTrackedTimeFixed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            409: components["responses"]["EntryInvoicedOrInvoicingInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    getInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "number": null,
                     *         "status": "draft",
                     *         "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "customer": {
                     *           "name": "Northwind Traders",
                     *           "email": "billing@northwind.example",
                     *           "phone": "+49 30 123456",
                     *           "website": "https://northwind.example",
                     *           "contact": "Ada Byron",
                     *           "addressLine1": "Hafenstrasse 1",
                     *           "addressLine2": null,
                     *           "city": "Berlin",
                     *           "region": null,
                     *           "postalCode": "10115",
                     *           "countryCode": "DE",
                     *           "taxNumber": "DE123456789"
                     *         },
                     *         "currency": "EUR",
                     *         "issueDate": "2026-11-30",
                     *         "dueDate": "2026-12-14",
                     *         "lineItems": [
                     *           {
                     *             "id": "019aa2fa-1c00-7b22-8c41-5e0f1a2b3c4d",
                     *             "productId": null,
                     *             "entryIds": [],
                     *             "name": "Hosting",
                     *             "description": "",
                     *             "quantity": "2",
                     *             "unit": "month",
                     *             "price": "49.90",
                     *             "taxRate": "19",
                     *             "amount": "99.80"
                     *           }
                     *         ],
                     *         "subtotal": "99.80",
                     *         "taxTotal": "18.96",
                     *         "total": "118.76",
                     *         "notes": "Thank you.",
                     *         "createdAt": "2026-11-30T09:30:00.000Z",
                     *         "updatedAt": "2026-11-30T09:30:00.000Z",
                     *         "sentAt": null,
                     *         "paidAt": null,
                     *         "voidedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Invoice"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    deleteInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61"
                     *     }
                     */
                    "application/json": components["schemas"]["Deletion"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["InvoiceStateForbids"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    updateInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "dueDate": "2026-12-31"
                 *     }
                 */
                "application/json": {
                    /** Format: date */
                    issueDate?: string;
                    /**
                     * Format: date
                     * @description Not before the issue date.
                     */
                    dueDate?: string | null;
                    notes?: string | null;
                    /** @description Replaces all lines. */
                    lineItems?: {
                        /**
                         * Format: uuid
                         * @description A product in the currency of the invoice, whose values are copied unless given here.
                         */
                        productId?: string | null;
                        /** @description Entries to bill on this line: the client's, billable, with a rate, in the currency of the invoice, and on no other invoice. Quantity, unit and price come from them; several rates make several lines. */
                        entryIds?: string[];
                        /** @description Required without `productId` and `entryIds`. */
                        name?: string;
                        description?: string;
                        /** @description `"1"` by default. */
                        quantity?: string;
                        unit?: string;
                        /** @description Required without `productId` and `entryIds`. */
                        price?: string;
                        taxRate?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "number": null,
                     *         "status": "draft",
                     *         "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "customer": {
                     *           "name": "Northwind Traders",
                     *           "email": "billing@northwind.example",
                     *           "phone": "+49 30 123456",
                     *           "website": "https://northwind.example",
                     *           "contact": "Ada Byron",
                     *           "addressLine1": "Hafenstrasse 1",
                     *           "addressLine2": null,
                     *           "city": "Berlin",
                     *           "region": null,
                     *           "postalCode": "10115",
                     *           "countryCode": "DE",
                     *           "taxNumber": "DE123456789"
                     *         },
                     *         "currency": "EUR",
                     *         "issueDate": "2026-11-30",
                     *         "dueDate": "2026-12-31",
                     *         "lineItems": [
                     *           {
                     *             "id": "019aa2fa-1c00-7b22-8c41-5e0f1a2b3c4d",
                     *             "productId": null,
                     *             "entryIds": [],
                     *             "name": "Hosting",
                     *             "description": "",
                     *             "quantity": "2",
                     *             "unit": "month",
                     *             "price": "49.90",
                     *             "taxRate": "19",
                     *             "amount": "99.80"
                     *           }
                     *         ],
                     *         "subtotal": "99.80",
                     *         "taxTotal": "18.96",
                     *         "total": "118.76",
                     *         "notes": "Thank you.",
                     *         "createdAt": "2026-11-30T09:30:00.000Z",
                     *         "updatedAt": "2026-11-30T09:30:00.000Z",
                     *         "sentAt": null,
                     *         "paidAt": null,
                     *         "voidedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Invoice"];
                    };
                };
            };
            400: components["responses"]["CurrencyMismatchOrEntryNotBillableOrInvalidDateRangeOrInvoiceTooLargeOrMalformedEncodingOrMalformedJsonOrReferenceNotFoundOrTrackedTimeFixed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["EntryInvoicedOrInvoiceStateForbidsOrInvoicingInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    sendInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "number": "INV-000001",
                     *         "status": "sent",
                     *         "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "customer": {
                     *           "name": "Northwind Traders",
                     *           "email": "billing@northwind.example",
                     *           "phone": "+49 30 123456",
                     *           "website": "https://northwind.example",
                     *           "contact": "Ada Byron",
                     *           "addressLine1": "Hafenstrasse 1",
                     *           "addressLine2": null,
                     *           "city": "Berlin",
                     *           "region": null,
                     *           "postalCode": "10115",
                     *           "countryCode": "DE",
                     *           "taxNumber": "DE123456789"
                     *         },
                     *         "currency": "EUR",
                     *         "issueDate": "2026-11-30",
                     *         "dueDate": "2026-12-14",
                     *         "lineItems": [
                     *           {
                     *             "id": "019aa2fa-1c00-7b22-8c41-5e0f1a2b3c4d",
                     *             "productId": null,
                     *             "entryIds": [],
                     *             "name": "Hosting",
                     *             "description": "",
                     *             "quantity": "2",
                     *             "unit": "month",
                     *             "price": "49.90",
                     *             "taxRate": "19",
                     *             "amount": "99.80"
                     *           }
                     *         ],
                     *         "subtotal": "99.80",
                     *         "taxTotal": "18.96",
                     *         "total": "118.76",
                     *         "notes": "Thank you.",
                     *         "createdAt": "2026-11-30T09:30:00.000Z",
                     *         "updatedAt": "2026-11-30T09:31:00.000Z",
                     *         "sentAt": "2026-11-30T09:31:00.000Z",
                     *         "paidAt": null,
                     *         "voidedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Invoice"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["InvoiceStateForbids"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    payInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "number": "INV-000001",
                     *         "status": "paid",
                     *         "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "customer": {
                     *           "name": "Northwind Traders",
                     *           "email": "billing@northwind.example",
                     *           "phone": "+49 30 123456",
                     *           "website": "https://northwind.example",
                     *           "contact": "Ada Byron",
                     *           "addressLine1": "Hafenstrasse 1",
                     *           "addressLine2": null,
                     *           "city": "Berlin",
                     *           "region": null,
                     *           "postalCode": "10115",
                     *           "countryCode": "DE",
                     *           "taxNumber": "DE123456789"
                     *         },
                     *         "currency": "EUR",
                     *         "issueDate": "2026-11-30",
                     *         "dueDate": "2026-12-14",
                     *         "lineItems": [
                     *           {
                     *             "id": "019aa2fa-1c00-7b22-8c41-5e0f1a2b3c4d",
                     *             "productId": null,
                     *             "entryIds": [],
                     *             "name": "Hosting",
                     *             "description": "",
                     *             "quantity": "2",
                     *             "unit": "month",
                     *             "price": "49.90",
                     *             "taxRate": "19",
                     *             "amount": "99.80"
                     *           }
                     *         ],
                     *         "subtotal": "99.80",
                     *         "taxTotal": "18.96",
                     *         "total": "118.76",
                     *         "notes": "Thank you.",
                     *         "createdAt": "2026-11-30T09:30:00.000Z",
                     *         "updatedAt": "2026-12-10T08:00:00.000Z",
                     *         "sentAt": "2026-11-30T09:31:00.000Z",
                     *         "paidAt": "2026-12-10T08:00:00.000Z",
                     *         "voidedAt": null
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Invoice"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["InvoiceStateForbids"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    voidInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": Record<string, never>;
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2fa-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "number": "INV-000001",
                     *         "status": "void",
                     *         "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "customer": {
                     *           "name": "Northwind Traders",
                     *           "email": "billing@northwind.example",
                     *           "phone": "+49 30 123456",
                     *           "website": "https://northwind.example",
                     *           "contact": "Ada Byron",
                     *           "addressLine1": "Hafenstrasse 1",
                     *           "addressLine2": null,
                     *           "city": "Berlin",
                     *           "region": null,
                     *           "postalCode": "10115",
                     *           "countryCode": "DE",
                     *           "taxNumber": "DE123456789"
                     *         },
                     *         "currency": "EUR",
                     *         "issueDate": "2026-11-30",
                     *         "dueDate": "2026-12-14",
                     *         "lineItems": [
                     *           {
                     *             "id": "019aa2fa-1c00-7b22-8c41-5e0f1a2b3c4d",
                     *             "productId": null,
                     *             "entryIds": [],
                     *             "name": "Hosting",
                     *             "description": "",
                     *             "quantity": "2",
                     *             "unit": "month",
                     *             "price": "49.90",
                     *             "taxRate": "19",
                     *             "amount": "99.80"
                     *           }
                     *         ],
                     *         "subtotal": "99.80",
                     *         "taxTotal": "18.96",
                     *         "total": "118.76",
                     *         "notes": "Thank you.",
                     *         "createdAt": "2026-11-30T09:30:00.000Z",
                     *         "updatedAt": "2026-12-10T08:00:00.000Z",
                     *         "sentAt": "2026-11-30T09:31:00.000Z",
                     *         "paidAt": null,
                     *         "voidedAt": "2026-12-10T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Invoice"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["InvoiceStateForbids"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    getInvoicePdf: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description How many items the page has at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                status?: "in_progress" | "completed" | "archived";
                /** @description Of a client that the organization owns; any other finds nothing. */
                clientId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa2f4-8200-7f66-a4b5-3d2e1f0a9b8c",
                     *           "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *           "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *           "name": "Website relaunch",
                     *           "code": "WEB-1",
                     *           "description": "Design and construction of the new site",
                     *           "externalRef": null,
                     *           "billingMode": "hourly",
                     *           "billable": true,
                     *           "currency": "USD",
                     *           "estimateHours": 120,
                     *           "status": "in_progress",
                     *           "color": "#0066cc",
                     *           "tags": [
                     *             "web",
                     *             "design"
                     *           ],
                     *           "assignedUserIds": [
                     *             "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f"
                     *           ],
                     *           "defaultRate": "95.5",
                     *           "totalMinutes": 150,
                     *           "billableMinutes": 120,
                     *           "totalAmount": 191,
                     *           "amountsByCurrency": [
                     *             {
                     *               "currency": "USD",
                     *               "amount": "191.00"
                     *             }
                     *           ],
                     *           "createdAt": "2026-11-20T09:30:00.000Z",
                     *           "updatedAt": "2026-11-20T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 50,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Project"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "clientId": null,
                 *       "name": "Website relaunch",
                 *       "code": "WEB-1",
                 *       "description": "Design and construction of the new site",
                 *       "externalRef": null,
                 *       "billingMode": "hourly",
                 *       "billable": true,
                 *       "currency": "USD",
                 *       "estimateHours": 120,
                 *       "status": "in_progress",
                 *       "color": "#0066cc",
                 *       "tags": [
                 *         "web",
                 *         "design"
                 *       ],
                 *       "assignedUserIds": [
                 *         "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f"
                 *       ],
                 *       "rate": 95.5
                 *     }
                 */
                "application/json": {
                    /** @description Unique in the organization, whatever its case. Space around it is removed. */
                    name: string;
                    /**
                     * Format: uuid
                     * @default null
                     */
                    clientId?: string | null;
                    /** @default null */
                    code?: string | null;
                    /** @default null */
                    description?: string | null;
                    /** @default null */
                    externalRef?: string | null;
                    /**
                     * @default hourly
                     * @enum {string}
                     */
                    billingMode?: "hourly" | "fixed" | "non_billable";
                    /** @default false */
                    billable?: boolean;
                    /** @default null */
                    rate?: number | null;
                    /** @example USD */
                    currency?: string;
                    /** @default null */
                    estimateHours?: number | null;
                    /**
                     * @default in_progress
                     * @enum {string}
                     */
                    status?: "in_progress" | "completed" | "archived";
                    /** @default null */
                    color?: string | null;
                    /** @default [] */
                    tags?: string[];
                    /** @default [] */
                    assignedUserIds?: string[];
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f4-8200-7f66-a4b5-3d2e1f0a9b8c",
                     *         "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *         "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "name": "Website relaunch",
                     *         "code": "WEB-1",
                     *         "description": "Design and construction of the new site",
                     *         "externalRef": null,
                     *         "billingMode": "hourly",
                     *         "billable": true,
                     *         "currency": "USD",
                     *         "estimateHours": 120,
                     *         "status": "in_progress",
                     *         "color": "#0066cc",
                     *         "tags": [
                     *           "web",
                     *           "design"
                     *         ],
                     *         "assignedUserIds": [
                     *           "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f"
                     *         ],
                     *         "defaultRate": "95.5",
                     *         "totalMinutes": 150,
                     *         "billableMinutes": 120,
                     *         "totalAmount": 191,
                     *         "amountsByCurrency": [
                     *           {
                     *             "currency": "USD",
                     *             "amount": "191.00"
                     *           }
                     *         ],
                     *         "createdAt": "2026-11-20T09:30:00.000Z",
                     *         "updatedAt": "2026-11-20T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Project"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJsonOrReferenceNotFound"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            409: components["responses"]["ProjectNameTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    getProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f4-8200-7f66-a4b5-3d2e1f0a9b8c",
                     *         "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *         "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "name": "Website relaunch",
                     *         "code": "WEB-1",
                     *         "description": "Design and construction of the new site",
                     *         "externalRef": null,
                     *         "billingMode": "hourly",
                     *         "billable": true,
                     *         "currency": "USD",
                     *         "estimateHours": 120,
                     *         "status": "in_progress",
                     *         "color": "#0066cc",
                     *         "tags": [
                     *           "web",
                     *           "design"
                     *         ],
                     *         "assignedUserIds": [
                     *           "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f"
                     *         ],
                     *         "defaultRate": "95.5",
                     *         "totalMinutes": 150,
                     *         "billableMinutes": 120,
                     *         "totalAmount": 191,
                     *         "amountsByCurrency": [
                     *           {
                     *             "currency": "USD",
                     *             "amount": "191.00"
                     *           }
                     *         ],
                     *         "createdAt": "2026-11-20T09:30:00.000Z",
                     *         "updatedAt": "2026-11-20T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Project"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61"
                     *     }
                     */
                    "application/json": components["schemas"]["Deletion"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    updateProject: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "status": "completed",
                 *       "rate": 100
                 *     }
                 */
                "application/json": {
                    /** @description Unique in the organization, whatever its case. Space around it is removed. */
                    name?: string;
                    /** Format: uuid */
                    clientId?: string | null;
                    code?: string | null;
                    description?: string | null;
                    externalRef?: string | null;
                    /** @enum {string} */
                    billingMode?: "hourly" | "fixed" | "non_billable";
                    billable?: boolean;
                    rate?: number | null;
                    /** @example USD */
                    currency?: string;
                    estimateHours?: number | null;
                    /** @enum {string} */
                    status?: "in_progress" | "completed" | "archived";
                    color?: string | null;
                    tags?: string[];
                    assignedUserIds?: string[];
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f4-8200-7f66-a4b5-3d2e1f0a9b8c",
                     *         "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *         "clientId": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b",
                     *         "name": "Website relaunch",
                     *         "code": "WEB-1",
                     *         "description": "Design and construction of the new site",
                     *         "externalRef": null,
                     *         "billingMode": "hourly",
                     *         "billable": true,
                     *         "currency": "USD",
                     *         "estimateHours": 120,
                     *         "status": "completed",
                     *         "color": "#0066cc",
                     *         "tags": [
                     *           "web",
                     *           "design"
                     *         ],
                     *         "assignedUserIds": [
                     *           "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f"
                     *         ],
                     *         "defaultRate": "100",
                     *         "totalMinutes": 150,
                     *         "billableMinutes": 120,
                     *         "totalAmount": 191,
                     *         "amountsByCurrency": [
                     *           {
                     *             "currency": "USD",
                     *             "amount": "191.00"
                     *           }
                     *         ],
                     *         "createdAt": "2026-11-20T09:30:00.000Z",
                     *         "updatedAt": "2026-11-20T09:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Project"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJsonOrReferenceNotFound"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ProjectNameTaken"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    listEntries: {
        parameters: {
            query?: {
                /** @description How many items the page has at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                /** @description Inclusive. */
                dateFrom?: string;
                /** @description Inclusive. */
                dateTo?: string;
                projectId?: string;
                clientId?: string;
                /** @description `native_tracker` or `remote_api`; any other value finds nothing. */
                source?: string;
                billable?: boolean;
                /** @description Part of the description or of the client label, in any case. A search reads at most 50,000 entries: `dateFrom` and `dateTo` narrow it. */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa2f6-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *           "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *           "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *           "description": "Kick-off workshop",
                     *           "entryDate": "2026-11-20T00:00:00.000Z",
                     *           "startedAt": "2026-11-20T09:00:00.000Z",
                     *           "endedAt": "2026-11-20T10:30:00.000Z",
                     *           "durationMinutes": 90,
                     *           "quantity": "1.5",
                     *           "unit": "hour",
                     *           "rate": "120",
                     *           "currency": "USD",
                     *           "amount": "180.00",
                     *           "billable": true,
                     *           "billingStatus": "unbilled",
                     *           "invoiceId": null,
                     *           "source": "native_tracker",
                     *           "timerSessionId": null,
                     *           "clientId": null,
                     *           "clientLabel": null,
                     *           "projectId": null,
                     *           "createdAt": "2026-11-20T10:31:00.000Z",
                     *           "updatedAt": "2026-11-20T10:31:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 50,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorkEntry"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            400: components["responses"]["InvalidDateRangeOrRangeTooLarge"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    createEntry: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "description": "Kick-off workshop",
                 *       "durationMinutes": 90,
                 *       "entryDate": "2026-11-20",
                 *       "startTime": "09:00",
                 *       "endTime": "10:30",
                 *       "rate": 120,
                 *       "currency": "USD"
                 *     }
                 */
                "application/json": {
                    description: string;
                    durationMinutes: number;
                    /**
                     * Format: date
                     * @description From 1900-01-01 to 9998-12-30.
                     */
                    entryDate: string;
                    startTime?: string;
                    /** @description One that is not after the start means the next day. */
                    endTime?: string;
                    /** @default true */
                    billable?: boolean;
                    rate?: number;
                    /** @example USD */
                    currency?: string;
                    /** Format: uuid */
                    clientId?: string | null;
                    /** Format: uuid */
                    projectId?: string | null;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f6-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *         "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *         "description": "Kick-off workshop",
                     *         "entryDate": "2026-11-20T00:00:00.000Z",
                     *         "startedAt": "2026-11-20T09:00:00.000Z",
                     *         "endedAt": "2026-11-20T10:30:00.000Z",
                     *         "durationMinutes": 90,
                     *         "quantity": "1.5",
                     *         "unit": "hour",
                     *         "rate": "120",
                     *         "currency": "USD",
                     *         "amount": "180.00",
                     *         "billable": true,
                     *         "billingStatus": "unbilled",
                     *         "invoiceId": null,
                     *         "source": "native_tracker",
                     *         "timerSessionId": null,
                     *         "clientId": null,
                     *         "clientLabel": null,
                     *         "projectId": null,
                     *         "createdAt": "2026-11-20T10:31:00.000Z",
                     *         "updatedAt": "2026-11-20T10:31:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorkEntry"];
                    };
                };
            };
            400: components["responses"]["ClientMismatchOrMalformedEncodingOrMalformedJsonOrReferenceNotFound"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    summarizeEntries: {
        parameters: {
            query: {
                dateFrom: string;
                dateTo: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "dateFrom": "2026-11-01",
                     *         "dateTo": "2026-11-30",
                     *         "totalMinutes": 90,
                     *         "trackedMinutes": 120,
                     *         "totalAmount": 180,
                     *         "currency": "USD",
                     *         "byProject": [
                     *           {
                     *             "projectId": null,
                     *             "projectName": null,
                     *             "totalMinutes": 90,
                     *             "trackedMinutes": 120,
                     *             "totalAmount": 180,
                     *             "currency": "USD"
                     *           }
                     *         ],
                     *         "byCurrency": [
                     *           {
                     *             "currency": "USD",
                     *             "totalMinutes": 90,
                     *             "totalAmount": 180
                     *           }
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorkSummary"];
                    };
                };
            };
            400: components["responses"]["InvalidDateRange"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    getEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f6-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *         "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *         "description": "Kick-off workshop",
                     *         "entryDate": "2026-11-20T00:00:00.000Z",
                     *         "startedAt": "2026-11-20T09:00:00.000Z",
                     *         "endedAt": "2026-11-20T10:30:00.000Z",
                     *         "durationMinutes": 90,
                     *         "quantity": "1.5",
                     *         "unit": "hour",
                     *         "rate": "120",
                     *         "currency": "USD",
                     *         "amount": "180.00",
                     *         "billable": true,
                     *         "billingStatus": "unbilled",
                     *         "invoiceId": null,
                     *         "source": "native_tracker",
                     *         "timerSessionId": null,
                     *         "clientId": null,
                     *         "clientLabel": null,
                     *         "projectId": null,
                     *         "createdAt": "2026-11-20T10:31:00.000Z",
                     *         "updatedAt": "2026-11-20T10:31:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorkEntry"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    deleteEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61"
                     *     }
                     */
                    "application/json": components["schemas"]["Deletion"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["EntryInvoicedOrInvoicingInProgress"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    updateEntry: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "durationMinutes": 60
                 *     }
                 */
                "application/json": {
                    description?: string;
                    durationMinutes?: number;
                    /**
                     * Format: date
                     * @description From 1900-01-01 to 9998-12-30.
                     */
                    entryDate?: string;
                    startTime?: string;
                    endTime?: string;
                    billable?: boolean;
                    rate?: number;
                    /** @example USD */
                    currency?: string;
                    /** Format: uuid */
                    clientId?: string | null;
                    /** Format: uuid */
                    projectId?: string | null;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f6-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *         "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *         "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *         "description": "Kick-off workshop",
                     *         "entryDate": "2026-11-20T00:00:00.000Z",
                     *         "startedAt": "2026-11-20T09:00:00.000Z",
                     *         "endedAt": "2026-11-20T10:00:00.000Z",
                     *         "durationMinutes": 60,
                     *         "quantity": "1",
                     *         "unit": "hour",
                     *         "rate": "120",
                     *         "currency": "USD",
                     *         "amount": "120.00",
                     *         "billable": true,
                     *         "billingStatus": "unbilled",
                     *         "invoiceId": null,
                     *         "source": "native_tracker",
                     *         "timerSessionId": null,
                     *         "clientId": null,
                     *         "clientLabel": null,
                     *         "projectId": null,
                     *         "createdAt": "2026-11-20T10:31:00.000Z",
                     *         "updatedAt": "2026-11-20T10:31:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["WorkEntry"];
                    };
                };
            };
            400: components["responses"]["ClientMismatchOrMalformedEncodingOrMalformedJsonOrReferenceNotFound"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["EntryInvoicedOrInvoicingInProgress"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    getActiveTimer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f5-9d00-7c44-a2f3-1b0c9d8e7f6a",
                     *         "status": "running",
                     *         "description": "Kick-off workshop",
                     *         "clientId": null,
                     *         "projectId": null,
                     *         "billable": true,
                     *         "rate": "120",
                     *         "currency": "USD",
                     *         "startedAt": "2026-11-20T09:00:00.000Z",
                     *         "stoppedAt": null,
                     *         "durationMinutes": null,
                     *         "workEntryId": null,
                     *         "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *         "createdAt": "2026-11-20T09:00:00.000Z",
                     *         "updatedAt": "2026-11-20T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimerSession"] | null;
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    startTimer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "Kick-off workshop",
                 *       "rate": 120
                 *     }
                 */
                "application/json": {
                    /** @default  */
                    description?: string;
                    /** Format: uuid */
                    clientId?: string | null;
                    /** Format: uuid */
                    projectId?: string | null;
                    billable?: boolean;
                    rate?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f5-9d00-7c44-a2f3-1b0c9d8e7f6a",
                     *         "status": "running",
                     *         "description": "Kick-off workshop",
                     *         "clientId": null,
                     *         "projectId": null,
                     *         "billable": true,
                     *         "rate": "120",
                     *         "currency": "USD",
                     *         "startedAt": "2026-11-20T09:00:00.000Z",
                     *         "stoppedAt": null,
                     *         "durationMinutes": null,
                     *         "workEntryId": null,
                     *         "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *         "createdAt": "2026-11-20T09:00:00.000Z",
                     *         "updatedAt": "2026-11-20T09:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimerSession"];
                    };
                };
            };
            400: components["responses"]["ClientMismatchOrMalformedEncodingOrMalformedJsonOrReferenceNotFound"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            409: components["responses"]["TimerAlreadyRunning"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    stopTimer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "Kick-off workshop",
                 *       "billable": true
                 *     }
                 */
                "application/json": {
                    description?: string;
                    billable?: boolean;
                    rate?: number;
                    /**
                     * @description False stops the timer without booking its time.
                     * @default true
                     */
                    createWorkEntry?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "session": {
                     *           "id": "019aa2f5-9d00-7c44-a2f3-1b0c9d8e7f6a",
                     *           "status": "stopped",
                     *           "description": "Kick-off workshop",
                     *           "clientId": null,
                     *           "projectId": null,
                     *           "billable": true,
                     *           "rate": "120",
                     *           "currency": "USD",
                     *           "startedAt": "2026-11-20T09:00:00.000Z",
                     *           "stoppedAt": "2026-11-20T10:30:00.000Z",
                     *           "durationMinutes": 90,
                     *           "workEntryId": "019aa2f6-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *           "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *           "createdAt": "2026-11-20T09:00:00.000Z",
                     *           "updatedAt": "2026-11-20T10:30:00.000Z"
                     *         },
                     *         "workEntry": {
                     *           "id": "019aa2f6-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *           "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *           "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *           "description": "Kick-off workshop",
                     *           "entryDate": "2026-11-20T00:00:00.000Z",
                     *           "startedAt": "2026-11-20T09:00:00.000Z",
                     *           "endedAt": "2026-11-20T10:30:00.000Z",
                     *           "durationMinutes": 90,
                     *           "quantity": "1.5",
                     *           "unit": "hour",
                     *           "rate": "120",
                     *           "currency": "USD",
                     *           "amount": "180.00",
                     *           "billable": true,
                     *           "billingStatus": "unbilled",
                     *           "invoiceId": null,
                     *           "source": "native_tracker",
                     *           "timerSessionId": "019aa2f5-9d00-7c44-a2f3-1b0c9d8e7f6a",
                     *           "clientId": null,
                     *           "clientLabel": null,
                     *           "projectId": null,
                     *           "createdAt": "2026-11-20T10:30:00.000Z",
                     *           "updatedAt": "2026-11-20T10:30:00.000Z"
                     *         },
                     *         "durationMinutes": 90
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["StoppedTimer"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TimerNotRunning"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    discardTimer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f5-9d00-7c44-a2f3-1b0c9d8e7f6a",
                     *         "status": "discarded",
                     *         "description": "Kick-off workshop",
                     *         "clientId": null,
                     *         "projectId": null,
                     *         "billable": true,
                     *         "rate": "120",
                     *         "currency": "USD",
                     *         "startedAt": "2026-11-20T09:00:00.000Z",
                     *         "stoppedAt": "2026-11-20T10:30:00.000Z",
                     *         "durationMinutes": 90,
                     *         "workEntryId": null,
                     *         "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *         "createdAt": "2026-11-20T09:00:00.000Z",
                     *         "updatedAt": "2026-11-20T10:30:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimerSession"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["TimerNotRunning"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    listTimerSessions: {
        parameters: {
            query?: {
                /** @description How many items the page has at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
                status?: "running" | "stopped" | "discarded";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa2f5-9d00-7c44-a2f3-1b0c9d8e7f6a",
                     *           "status": "stopped",
                     *           "description": "Kick-off workshop",
                     *           "clientId": null,
                     *           "projectId": null,
                     *           "billable": true,
                     *           "rate": "120",
                     *           "currency": "USD",
                     *           "startedAt": "2026-11-20T09:00:00.000Z",
                     *           "stoppedAt": "2026-11-20T10:30:00.000Z",
                     *           "durationMinutes": 90,
                     *           "workEntryId": "019aa2f6-1c00-7a3b-9d52-3f0c8f1d2a61",
                     *           "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *           "createdAt": "2026-11-20T09:00:00.000Z",
                     *           "updatedAt": "2026-11-20T10:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 50,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["TimerSession"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    connectRemote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accessToken": "<ACCESS_TOKEN>",
                 *       "accountId": "1234567"
                 *     }
                 */
                "application/json": {
                    /** @description A personal access token of the provider. It is stored encrypted and never returned. */
                    accessToken: string;
                    /** @description The provider's id of the account that the token is for. */
                    accountId: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "connected": true,
                     *         "accountName": "Northwind Traders",
                     *         "visibility": "all",
                     *         "lastSyncAt": null,
                     *         "lastSyncStatus": "idle",
                     *         "lastSyncEntriesImported": 0,
                     *         "syncEnabled": false,
                     *         "syncIntervalMinutes": 60
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RemoteConnection"];
                    };
                };
            };
            400: components["responses"]["InvalidRemoteCredentialOrMalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["RemoteUnavailable"];
            503: components["responses"]["RemoteThrottledOrTemporarilyUnavailable"];
            504: components["responses"]["RemoteTimedOut"];
        };
    };
    getRemote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "connected": true,
                     *         "accountName": "Northwind Traders",
                     *         "visibility": "all",
                     *         "lastSyncAt": null,
                     *         "lastSyncStatus": "idle",
                     *         "lastSyncEntriesImported": 0,
                     *         "syncEnabled": false,
                     *         "syncIntervalMinutes": 60
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RemoteConnectionStatus"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    disconnectRemote: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "connected": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["NotConnected"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    updateRemoteSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "syncEnabled": true,
                 *       "syncIntervalMinutes": 30
                 *     }
                 */
                "application/json": {
                    syncEnabled: boolean;
                    /** @description Stays as it is where it is left out. */
                    syncIntervalMinutes?: number;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "connected": true,
                     *         "accountName": "Northwind Traders",
                     *         "visibility": "all",
                     *         "lastSyncAt": null,
                     *         "lastSyncStatus": "idle",
                     *         "lastSyncEntriesImported": 0,
                     *         "syncEnabled": true,
                     *         "syncIntervalMinutes": 30
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RemoteConnection"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    previewRemoteSync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "dateFrom": "2026-11-01",
                 *       "dateTo": "2026-11-30"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date
                     * @description Inclusive; by default thirty days before `dateTo`.
                     */
                    dateFrom?: string;
                    /**
                     * Format: date
                     * @description Inclusive; by default today, in UTC.
                     */
                    dateTo?: string;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "provider": "remote_api",
                     *         "dateRange": {
                     *           "from": "2026-11-01",
                     *           "to": "2026-11-30"
                     *         },
                     *         "visibility": "all",
                     *         "totalEntries": 2,
                     *         "newEntries": 1,
                     *         "duplicateEntries": 0,
                     *         "changedEntries": 0,
                     *         "skippedEntries": 1,
                     *         "rows": [
                     *           {
                     *             "date": "2026-11-20",
                     *             "durationMinutes": 90,
                     *             "description": "Kick-off workshop",
                     *             "project": "Website",
                     *             "client": "Northwind Traders",
                     *             "user": "Ada Byron",
                     *             "externalId": "636709355",
                     *             "billable": true,
                     *             "rate": 120,
                     *             "currency": "USD",
                     *             "status": "new"
                     *           }
                     *         ],
                     *         "clientMapping": {
                     *           "Northwind Traders": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b"
                     *         },
                     *         "projectMapping": {},
                     *         "unmappedClients": [],
                     *         "unmappedProjects": [
                     *           "Website"
                     *         ],
                     *         "missingEntries": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["RemoteSyncPreview"];
                    };
                };
            };
            400: components["responses"]["InvalidDateRangeOrMalformedEncodingOrMalformedJsonOrTooManyRemoteEntries"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            502: components["responses"]["RemoteCredentialRejectedOrRemoteUnavailable"];
            503: components["responses"]["RemoteThrottledOrTemporarilyUnavailable"];
            504: components["responses"]["RemoteTimedOut"];
        };
    };
    confirmRemoteSync: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "rows": [
                 *         {
                 *           "date": "2026-11-20",
                 *           "durationMinutes": 90,
                 *           "description": "Kick-off workshop",
                 *           "project": "Website",
                 *           "client": "Northwind Traders",
                 *           "user": "Ada Byron",
                 *           "externalId": "636709355",
                 *           "billable": true,
                 *           "rate": 120,
                 *           "currency": "USD"
                 *         }
                 *       ],
                 *       "clientMapping": {
                 *         "Northwind Traders": "019aa2f4-8100-7e55-b3a4-2c1d0e9f8a7b"
                 *       },
                 *       "projectMapping": {
                 *         "Website": null
                 *       }
                 *     }
                 */
                "application/json": {
                    rows: components["schemas"]["RemoteWorkRow"][];
                    /** @default {} */
                    clientMapping?: {
                        [key: string]: string | null;
                    };
                    /** @default {} */
                    projectMapping?: {
                        [key: string]: string | null;
                    };
                    /**
                     * @description Updates entries whose row has changed at the provider and that are not invoiced, instead of skipping the row.
                     * @default false
                     */
                    updateChanged?: boolean;
                };
            };
        };
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "importJobId": "019aa2f4-9c00-7b1d-a6c3-8d2e4f5a6b7c",
                     *         "status": "imported",
                     *         "importedCount": 1,
                     *         "updatedCount": 0,
                     *         "skippedCount": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportConfirmation"];
                    };
                };
            };
            /** @description Begun; the work goes on behind the response. */
            202: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "importJobId": "019aa2f4-9c00-7b1d-a6c3-8d2e4f5a6b7c",
                     *         "status": "imported",
                     *         "importedCount": 1,
                     *         "updatedCount": 0,
                     *         "skippedCount": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportConfirmation"];
                    };
                };
            };
            400: components["responses"]["InvalidImportOrMalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["ImportFailedOrInternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    listRemoteSyncHistory: {
        parameters: {
            query?: {
                /** @description How many items the page has at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa2f4-9c00-7b1d-a6c3-8d2e4f5a6b7c",
                     *           "status": "imported",
                     *           "trigger": "confirm",
                     *           "rowCountTotal": 1,
                     *           "rowCountValid": 1,
                     *           "rowCountInvalid": 0,
                     *           "rowCountDeduped": 0,
                     *           "importedCount": 1,
                     *           "updatedCount": 0,
                     *           "skippedCount": 0,
                     *           "startedAt": "2026-11-20T09:30:00.000Z",
                     *           "completedAt": "2026-11-20T09:30:01.000Z",
                     *           "createdAt": "2026-11-20T09:30:00.000Z",
                     *           "updatedAt": "2026-11-20T09:30:01.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 50,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportJob"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    undoRemoteSync: {
        parameters: {
            query?: {
                /** @description Only counts what would be removed. */
                dryRun?: boolean;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "importJobId": "019aa2f4-9c00-7b1d-a6c3-8d2e4f5a6b7c",
                     *         "removedCount": 1,
                     *         "keptInvoicedCount": 0,
                     *         "keptEditedCount": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ImportUndoing"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["ImportNotUndoableOrInvoicingInProgress"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description How many items the page has at most. */
                limit?: number;
                /** @description How many items of the list come before the page. */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "019aa2f5-1100-7c0a-8e21-5a6b7c8d9e0f",
                     *           "name": "Reporting",
                     *           "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *           "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *           "scopes": [
                     *             "products:read"
                     *           ],
                     *           "rateLimit": 600,
                     *           "expiresAt": null,
                     *           "createdAt": "2026-11-20T09:30:00.000Z"
                     *         }
                     *       ],
                     *       "meta": {
                     *         "total": 1,
                     *         "limit": 50,
                     *         "offset": 0
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        meta: components["schemas"]["PageMeta"];
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "Reporting",
                 *       "scopes": [
                 *         "products:read"
                 *       ]
                 *     }
                 */
                "application/json": {
                    name: string;
                    scopes: ("products:read" | "products:write" | "clients:read" | "clients:write" | "invoices:read" | "invoices:write" | "tracker:read" | "tracker:write" | "tracker:remote" | "keys:read" | "keys:write")[];
                    /** @description Name of the user whose key it is, whatever its case and the space around it; the creator by default. */
                    user?: string;
                    /**
                     * @description Requests a minute.
                     * @default 600
                     */
                    rateLimit?: number;
                    /** @description Fractions are allowed. */
                    expiresInDays?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": {
                     *         "id": "019aa2f5-1100-7c0a-8e21-5a6b7c8d9e0f",
                     *         "name": "Reporting",
                     *         "organizationId": "019aa2f4-7800-7b52-b1c6-0d9e8f7a6b5c",
                     *         "userId": "019aa2f4-7800-7d11-8a0b-6b1f2c3d4e5f",
                     *         "scopes": [
                     *           "products:read"
                     *         ],
                     *         "rateLimit": 600,
                     *         "expiresAt": null,
                     *         "createdAt": "2026-11-20T09:30:00.000Z",
                     *         "apiKey": "bw_EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPLE-EXAMPL-0000"
                     *       }
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["IssuedApiKey"];
                    };
                };
            };
            400: components["responses"]["MalformedEncodingOrMalformedJson"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScopeOrScopeNotGrantable"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedEncodingOrUnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "success": true,
                     *       "id": "019aa2f4-7c00-7a3b-9d52-3f0c8f1d2a61"
                     *     }
                     */
                    "application/json": components["schemas"]["Deletion"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["InsufficientScope"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["TemporarilyUnavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "ok"
                     *     }
                     */
                    "application/json": {
                        /** @constant */
                        status: "ok";
                    };
                };
            };
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
        };
    };
    getDocsAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                asset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["x-request-id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/css": string;
                    "text/javascript": string;
                };
            };
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            500: components["responses"]["InternalError"];
        };
    };
}

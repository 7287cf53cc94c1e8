package dev.fairlead.adapter.k8s;

import dev.fairlead.domain.failure.Failure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log when the server is not to be had, once for each kind of trouble, and when it is back. */
final class Troubles {
    private static final Logger log = LoggerFactory.getLogger(Troubles.class);

    private volatile String last = "";

    void met(Failure failure) {
        String text = failure.code() + " " + failure.message();
        if (!text.equals(last)) {
            log.atWarn().addKeyValue("reason", text).log("the Lease could not be read or written; trying on");
        }
        last = text;
    }

    void over() {
        if (!last.isEmpty()) {
            log.atInfo().log("the Lease can be read and written again");
        }
        last = "";
    }

    /** What went wrong last, to be put behind a sentence; empty where nothing did. */
    String last() {
        String text = last;
        return text.isEmpty() ? "" : ": " + text;
    }
}

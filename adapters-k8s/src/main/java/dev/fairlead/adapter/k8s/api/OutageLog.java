package dev.fairlead.adapter.k8s.api;

import dev.fairlead.domain.failure.Failure;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs when the server cannot be used, once for each kind of trouble, and when it can be used again. */
public final class OutageLog {
    private static final Logger log = LoggerFactory.getLogger(OutageLog.class);

    private volatile String last = "";

    public void met(Failure failure) {
        String text = failure.code() + " " + failure.message();
        if (!text.equals(last)) {
            log.atWarn().addKeyValue("reason", text).log("the Lease could not be read or written; trying on");
        }
        last = text;
    }

    public void over() {
        if (!last.isEmpty()) {
            log.atInfo().log("the Lease can be read and written again");
        }
        last = "";
    }

    /** Returns what went wrong last, to be put behind a sentence; empty if nothing did. */
    public String last() {
        String text = last;
        return text.isEmpty() ? "" : ": " + text;
    }
}

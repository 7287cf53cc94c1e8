package dev.fairlead.adapter.grpc;

/** Lists the keys of this adapter's log lines. */
final class LogKeys {
    static final String RPC = "rpc";
    static final String REQUEST_ID = "request";
    static final String SUBJECT = "subject";
    static final String CODE = "code";
    static final String MILLIS = "ms";
    static final String FAILURE = "failure";
    static final String INCIDENT = "incident";
    static final String CONTENT = "content";
    static final String OUTCOME = "outcome";
    static final String DRIVER = "driver";
    static final String ENDPOINT = "endpoint";
    static final String SOCKET = "socket";

    private LogKeys() {}
}

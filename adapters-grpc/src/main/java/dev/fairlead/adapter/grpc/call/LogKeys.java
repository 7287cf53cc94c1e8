package dev.fairlead.adapter.grpc.call;

/** Lists the keys of this adapter's log lines. */
public final class LogKeys {
    public static final String RPC = "rpc";
    public static final String REQUEST_ID = "request";
    public static final String SUBJECT = "subject";
    public static final String CODE = "code";
    public static final String MILLIS = "ms";
    public static final String FAILURE = "failure";
    public static final String INCIDENT = "incident";
    public static final String CONTENT = "content";
    public static final String OUTCOME = "outcome";
    public static final String DRIVER = "driver";
    public static final String ENDPOINT = "endpoint";
    public static final String SOCKET = "socket";

    private LogKeys() {}
}

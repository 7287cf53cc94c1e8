package dev.fairlead.adapter.grpc.call;

import io.grpc.Context;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

/** Gathers what the log line of one call says. It travels in gRPC's context, which each callback of the call sees. */
public final class Rpc {
    public static final Context.Key<Rpc> KEY = Context.key("fairlead-rpc");
    private static final int LONGEST_SUBJECT = 256;
    private static final String PROBE = "Probe";
    private static final Pattern UNFIT = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

    private final String service;
    private final String method;
    private final String requestId;
    private final long begun = System.nanoTime();
    private final AtomicBoolean ended = new AtomicBoolean();
    private volatile String subject = "";

    public Rpc(String service, String method, String requestId) {
        this.service = service;
        this.method = method;
        this.requestId = requestId;
    }

    /**
     * Returns the call of this thread; {@code RequestLogInterceptor}, which is around all services, has to be around
     * it.
     */
    public static Rpc current() {
        Rpc rpc = KEY.get();
        if (rpc == null) {
            throw new IllegalStateException("no call in this context (expected: RequestLogInterceptor around it)");
        }
        return rpc;
    }

    public String service() {
        return service;
    }

    public String method() {
        return method;
    }

    public boolean isHealthCheck() {
        return service.equals(HealthService.NAME) || method.equals(PROBE);
    }

    public String requestId() {
        return requestId;
    }

    public String subject() {
        return subject;
    }

    /**
     * Notes the volume, snapshot or path that the call is about; it comes from outside, so it is made fit for a log.
     */
    void about(String id) {
        subject = fitForLog(id, LONGEST_SUBJECT);
    }

    /** Returns a text from outside on one line, cut after {@code longest} characters. */
    public static String fitForLog(String text, int longest) {
        String cut = text.length() > longest ? text.substring(0, longest) + "…" : text;
        return UNFIT.matcher(cut).replaceAll("?");
    }

    /** Returns the RPC and its subject, as a second caller may read them. */
    String what() {
        return subject.isEmpty() ? method : method + " " + subject;
    }

    public long nanos() {
        return System.nanoTime() - begun;
    }

    /** Ends the call and returns true the first time, and false after that, since a call ends once. */
    public boolean end() {
        return ended.compareAndSet(false, true);
    }
}

package dev.fairlead.adapter.grpc.call;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.application.port.work.WorkFactory;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.domain.failure.StorageException;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the body of a call on a thread of its own and answers with what comes of it, or that it is not done in time.
 *
 * <p>The work owns its locks, not the call: a caller that goes away or whose deadline passes gets its answer, and the
 * body goes on to its next point of cancellation or its end.
 */
public final class UnaryCall {
    private static final Logger log = LoggerFactory.getLogger(UnaryCall.class);

    private final WorkFactory works;
    private final Executor executor;
    private final Duration patience;

    /** @param patience the patience with callers that set no deadline */
    public UnaryCall(WorkFactory works, Executor executor, Duration patience) {
        this.works = works;
        this.executor = executor;
        this.patience = patience;
    }

    /** Notes what this thread's call is about; to be called first of all, so that a refusal's log line has it too. */
    public void about(String subject) {
        Rpc.current().about(subject);
    }

    /** Answers this thread's call. */
    public <R> void answer(StreamObserver<R> out, Function<Work, R> body) {
        R response = run(Rpc.current(), body);
        out.onNext(response);
        out.onCompleted();
    }

    private <R> R run(Rpc rpc, Function<Work, R> body) {
        Context context = Context.current();
        Duration wait = waitOf(context.getDeadline());
        CompletableFuture<R> answer = new CompletableFuture<>();
        Work work = works.begin(
                rpc.requestId(), rpc.what(), Optional.of(wait), () -> answer.isDone() || context.isCancelled());
        Context.CancellationListener gone =
                cancelled -> answer.completeExceptionally(new StorageException(whyGone(rpc, cancelled, wait)));
        context.addListener(gone, Runnable::run);
        try {
            executor.execute(() -> work(rpc, body, work, answer));
            return answer.get(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return late(rpc, wait, answer);
        } catch (ExecutionException e) {
            throw rethrown(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StorageException(new Failure.Cancelled(rpc.what()), e);
        } finally {
            context.removeListener(gone);
        }
    }

    private static <R> void work(Rpc rpc, Function<Work, R> body, Work work, CompletableFuture<R> answer) {
        boolean inTime;
        String outcome;
        try {
            inTime = answer.complete(body.apply(work));
            outcome = "done";
        } catch (StorageException e) {
            inTime = answer.completeExceptionally(e);
            outcome = e.failure().code() + " " + e.failure().message();
        } catch (RuntimeException | Error e) {
            inTime = answer.completeExceptionally(e);
            if (!inTime) {
                log.atError()
                        .addKeyValue(LogKeys.REQUEST_ID, rpc.requestId())
                        .addKeyValue(LogKeys.RPC, rpc.method())
                        .setCause(e)
                        .log("unexpected error after the caller had gone");
            }
            return;
        }
        if (!inTime) {
            log.atInfo()
                    .addKeyValue(LogKeys.RPC, rpc.method())
                    .addKeyValue(LogKeys.REQUEST_ID, rpc.requestId())
                    .addKeyValue(LogKeys.SUBJECT, rpc.subject())
                    .addKeyValue(LogKeys.MILLIS, rpc.nanos() / 1_000_000)
                    .addKeyValue(LogKeys.OUTCOME, outcome)
                    .log("work ended after its caller had gone");
        }
    }

    private Duration waitOf(@Nullable Deadline deadline) {
        return deadline == null
                ? patience
                : Duration.ofNanos(Math.max(0, deadline.timeRemaining(TimeUnit.NANOSECONDS)));
    }

    private static Failure whyGone(Rpc rpc, Context context, Duration wait) {
        Deadline deadline = context.getDeadline();
        return deadline != null && deadline.isExpired()
                ? new Failure.TimedOut("", rpc.what(), wait)
                : new Failure.Cancelled(rpc.what());
    }

    /** Returns the answer if it came between the timeout and now; else throws {@code TimedOut}. */
    private static <R> R late(Rpc rpc, Duration wait, CompletableFuture<R> answer) {
        answer.completeExceptionally(new StorageException(new Failure.TimedOut("", rpc.what(), wait)));
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw rethrown(e.getCause());
        }
    }

    private static RuntimeException rethrown(@Nullable Throwable cause) {
        return switch (cause) {
            case RuntimeException e -> e;
            case Error e -> throw e;
            case null, default -> new IllegalStateException("a body threw a checked exception", cause);
        };
    }
}

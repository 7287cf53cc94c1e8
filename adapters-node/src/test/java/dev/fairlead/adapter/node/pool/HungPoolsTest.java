package dev.fairlead.adapter.node.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.adapter.node.block.BlockTree;
import dev.fairlead.adapter.node.hostpath.HostPathAttacher;
import dev.fairlead.adapter.node.kernel.KernelThreads;
import dev.fairlead.adapter.node.mount.MountSandbox;
import dev.fairlead.application.port.work.Effect;
import dev.fairlead.application.port.work.ForwardingWork;
import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.domain.base.VolumeBases;
import dev.fairlead.domain.failure.Failure;
import dev.fairlead.linux.LoopDevices;
import dev.fairlead.testkit.Failing;
import dev.fairlead.testkit.fake.TestWork;
import dev.fairlead.testkit.fake.node.AttachCalls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class HungPoolsTest {
    @TempDir
    Path pools;

    private final CountDownLatch back = new CountDownLatch(1);
    private final KernelThreads threads = MountSandbox.threads();

    @AfterEach
    void let_everything_go() {
        back.countDown();
    }

    @Test
    @Timeout(30)
    void an_attachment_that_waits_for_one_pool_holds_up_none_of_another() throws Exception {
        Path root = pools.toRealPath();
        var attacher = new LocalPoolAttacher(
                MountSandbox.mounter(),
                threads,
                new HostPathAttacher(MountSandbox.mounter(), threads, () -> List.of(root), VolumeBases.NONE),
                LoopDevices.ofThisMachine(),
                new BlockTree(root));
        Attachment.LocalPool hung = image(root, "hung");
        Attachment.LocalPool other = image(root, "other");
        CountDownLatch asked = new CountDownLatch(1);
        Work work = new Told(TestWork.patient().left(Duration.ofSeconds(20)), asked);
        CountDownLatch inside = new CountDownLatch(1);
        var _ = begin(() -> threads.call("hanging", Path.of(hung.path()), TestWork.patient(), _ -> {
            inside.countDown();
            await(back);
            return true;
        }));
        inside.await();
        Future<?> waiting = begin(() -> Failing.with(
                Failure.VolumeNotFound.class, () -> AttachCalls.raw(attacher, "v:hung", hung, Map.of(), work)));
        asked.await();

        Failing.with(
                Failure.VolumeNotFound.class,
                () -> AttachCalls.raw(attacher, "v:other", other, Map.of(), TestWork.patient()));

        assertThat(waiting.isDone()).isFalse();
        back.countDown();
        waiting.get(); // it fails if the call did not end as it should
    }

    /** Tells when the first effect begins. */
    private record Told(Work work, CountDownLatch begun) implements ForwardingWork {
        @Override
        public Work finishing() {
            return this;
        }

        @Override
        public <X extends Exception> void effect(Effect effect, Action<X> action) throws X {
            begun.countDown();
            work.effect(effect, action);
        }
    }

    private static Attachment.LocalPool image(Path root, String pool) throws Exception {
        Path folder = Files.createDirectories(root.resolve(pool).resolve("v/pvc-1"));
        return new Attachment.LocalPool(folder.resolve("disk.img").toString());
    }

    private static Future<?> begin(Runnable call) {
        FutureTask<?> task = new FutureTask<>(call, true);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

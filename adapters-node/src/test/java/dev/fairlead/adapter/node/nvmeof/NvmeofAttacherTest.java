package dev.fairlead.adapter.node.nvmeof;

import dev.fairlead.application.port.out.node.Attacher;
import dev.fairlead.application.port.out.node.Mounter;
import dev.fairlead.domain.attachment.Attachment;
import dev.fairlead.testkit.contract.node.AttacherContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on namespaces of one subsystem. */
class NvmeofAttacherTest implements AttacherContract<Attachment.Nvmeof> {
    private static final String NQN = "nqn.2026-11.test.lab:shared";
    private static final List<String> NAMES = List.of("", "pvc-a", "pvc-1", "pvc-2");

    @TempDir
    private Path folder;

    @AutoClose
    private ScriptedKernel kernel;

    @BeforeEach
    void aSubsystem() throws IOException {
        kernel = new ScriptedKernel(folder.toRealPath());
        kernel.subsystems.put(NQN, List.of(1, 2, 3));
    }

    @Override
    public Attacher<Attachment.Nvmeof> attacher() {
        return kernel.attacher();
    }

    @Override
    public Attachment.Nvmeof volume(String name) {
        return new Attachment.Nvmeof("tcp://10.0.0.1:4420", List.of("tcp://10.0.0.2"), NQN, NAMES.indexOf(name));
    }

    @Override
    public Attachment.Nvmeof absent() {
        return new Attachment.Nvmeof("tcp://10.0.0.1:4420", List.of(), NQN, 99);
    }

    @Override
    public Mounter mounter() {
        return kernel.mounts;
    }

    @Override
    public Path folder() {
        return folder;
    }
}

package dev.fairlead.application.port.in.node;

import dev.fairlead.application.port.work.Work;
import dev.fairlead.domain.health.HealthCondition;
import dev.fairlead.domain.health.VolumeHealth;
import java.nio.file.Path;
import java.util.List;

/** Tells how the volumes of this node are (CSI NodeGetVolumeHealth, NodeGetStorageHealth). */
public interface ReportHealth {
    /**
     * Looks at one volume.
     *
     * @param places where it is staged or published, or should be; none if the caller does not know
     */
    VolumeHealth ofVolume(String handle, List<Path> places, Work work);

    /** Tells what the last look at all volumes found to be wrong on the way to their storage, each reason once. */
    List<HealthCondition> ofStorage(Work work);

    /** Looks at every volume that is staged on this node. Called by one thread. */
    List<Report> ofAll(Work work);

    /**
     * Says how one volume was found.
     *
     * @param subject the volume's handle, or where it is mounted if that is all that is known
     * @param protocol how it is attached: {@code nfs}, {@code iscsi}, …; {@code other} if nothing recognises it
     */
    record Report(String subject, String protocol, VolumeHealth health) {}
}

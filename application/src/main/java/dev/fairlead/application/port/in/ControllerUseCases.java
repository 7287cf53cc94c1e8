package dev.fairlead.application.port.in;

import dev.fairlead.application.port.in.list.ListSnapshots;
import dev.fairlead.application.port.in.list.ListVolumes;
import dev.fairlead.application.port.in.snapshot.DeleteSnapshot;
import dev.fairlead.application.port.in.snapshot.GetSnapshot;
import dev.fairlead.application.port.in.snapshot.TakeSnapshot;
import dev.fairlead.application.port.in.volume.CreateVolume;
import dev.fairlead.application.port.in.volume.DeleteVolume;
import dev.fairlead.application.port.in.volume.ExpandVolume;
import dev.fairlead.application.port.in.volume.GetVolume;
import dev.fairlead.application.port.in.volume.ModifyVolume;
import dev.fairlead.application.port.in.volume.PublishVolume;
import dev.fairlead.application.port.in.volume.ReportCapacity;
import dev.fairlead.application.port.in.volume.UnpublishVolume;
import dev.fairlead.application.port.in.volume.ValidateVolume;

/** Holds the use cases of the controller service. */
public record ControllerUseCases(
        CreateVolume createVolume,
        DeleteVolume deleteVolume,
        ExpandVolume expandVolume,
        ValidateVolume validateVolume,
        PublishVolume publishVolume,
        UnpublishVolume unpublishVolume,
        ListVolumes listVolumes,
        GetVolume getVolume,
        ReportCapacity reportCapacity,
        TakeSnapshot takeSnapshot,
        DeleteSnapshot deleteSnapshot,
        GetSnapshot getSnapshot,
        ListSnapshots listSnapshots,
        ModifyVolume modifyVolume,
        GroupUseCases groups) {}

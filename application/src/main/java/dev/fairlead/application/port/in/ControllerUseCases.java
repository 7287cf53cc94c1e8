package dev.fairlead.application.port.in;

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

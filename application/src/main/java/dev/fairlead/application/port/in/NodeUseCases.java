package dev.fairlead.application.port.in;

/** The node's use cases, together. */
public record NodeUseCases(
        StageVolume stageVolume,
        UnstageVolume unstageVolume,
        MountVolume mountVolume,
        UnmountVolume unmountVolume,
        MeasureVolume measureVolume,
        GrowFilesystem growFilesystem,
        DescribeNode describeNode) {}

# Inference, and what it says of samples: linked by the command alone, with GSL.
# test_calibration: tools/soak raises its counts in a stage of its own.
foreach(name test_inference test_calibration test_precision test_comparison)
    portolan_test(${name} SOURCES stats/${name}.c MODULES ${with_worlds} analysis stats LINK m)
endforeach()

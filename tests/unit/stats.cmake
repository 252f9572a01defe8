# Inference, and what it says of samples: linked by the command alone, with GSL.
foreach(name test_inference test_precision test_comparison)
    portolan_test(${name} SOURCES stats/${name}.c MODULES ${with_worlds} analysis stats LINK m)
endforeach()

module example.org/tinyjson

go 1.21

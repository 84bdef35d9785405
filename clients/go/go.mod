module carillon.example/carillon

go 1.19

variable "name" {
  type = string
}

variable "range" {
  type = string
}

variable "tags" {
  type = map(string)
}

resource "terraform_data" "subnet" {
  input = {
    name  = var.name
    range = var.range
    tags  = var.tags
  }

  # A range cannot be changed in place.
  triggers_replace = [var.range]
}

output "id" {
  value = "subnet-${substr(sha256("${var.name}${var.range}"), 0, 8)}"
}
